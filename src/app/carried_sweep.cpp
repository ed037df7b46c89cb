#include "app/carried_sweep.hpp"

#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {

CarriedSweep::CarriedSweep(const std::string& results)
    : CarriedSweep{results, results::ResultsReader{results, results::ResultsReader::Extent::finished}
                                .columns()
                                .schema.sweep.yaml} {}

CarriedSweep::CarriedSweep(const std::string& beside, const std::string& yaml)
    : path_{fmt::format("{}.sweep-{}.yaml", beside, getpid())} {
    std::ofstream stream(path_, std::ios::binary);
    stream << yaml;
    stream.flush();
    if (!stream) throw InputError(fmt::format("cannot write '{}'", path_.string()));
}

CarriedSweep::~CarriedSweep() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

}  // namespace dse::app
