#include "app/carried_sweep.hpp"

#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {

CarriedSweep::CarriedSweep(const std::string& results)
    : path_{fmt::format("{}.sweep-{}.yaml", results, getpid())} {
    const results::ResultsReader reader{results, results::ResultsReader::Extent::finished};
    std::ofstream stream(path_, std::ios::binary);
    stream << reader.columns().schema.sweep.yaml;
    stream.flush();
    if (!stream) throw InputError(fmt::format("cannot write '{}'", path_.string()));
}

CarriedSweep::~CarriedSweep() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

}  // namespace dse::app
