#include "app/carried_sweep.hpp"

#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {

CarriedSweep::CarriedSweep(const std::string& results)
    : file_{fmt::format("{}.sweep-{}.yaml", results, getpid())} {
    const results::ResultsReader reader{results, results::ResultsReader::Extent::finished};
    std::ofstream stream(file_.path(), std::ios::binary);
    stream << reader.columns().schema.sweep.yaml;
    stream.flush();
    if (!stream) throw InputError(fmt::format("cannot write '{}'", path()));
}

}  // namespace dse::app
