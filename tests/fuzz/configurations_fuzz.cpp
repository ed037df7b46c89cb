// Any bytes as the input files of other simulators, and as a published model's configuration: no crash, no
// hang, nothing thrown but what a user is told, and errors lie on lines of the file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "app/hugging_face/config_file.hpp"
#include "dse/base/error.hpp"
#include "dse/config/source_text.hpp"
#include "dse/model/compute/systolic/architecture_file.hpp"
#include "dse/model/compute/systolic/topology_file.hpp"
#include "dse/netsim/astra/read_files.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/invariant.hpp"

namespace {

using namespace dse;

/// Sound files of ASTRA-sim, beside which the input stands for one of the three.
const std::string& sound_file(int which) {
    static const std::string network =
        "topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n";
    static const std::string system =
        R"({"scheduling-policy": "LIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1,)"
        R"( "preferred-dataset-splits": 4, "all-reduce-implementation": ["ring"], "all-gather-implementation": ["ring"],)"
        R"( "reduce-scatter-implementation": ["ring"], "all-to-all-implementation": ["ring"],)"
        R"( "collective-optimization": "localBWAware", "local-mem-bw": 50})";
    static const std::string memory = R"({"memory-type": "NO_MEMORY_EXPANSION"})";
    const auto bytes = [](const std::string& text) {
        return reinterpret_cast<const std::uint8_t*>(text.data());
    };
    if (which == 0) return fuzz::input_file<1>(bytes(network), network.size(), ".network.yml");
    if (which == 1) return fuzz::input_file<2>(bytes(system), system.size(), ".system.json");
    return fuzz::input_file<3>(bytes(memory), memory.size(), ".memory.json");
}

/// Calls `read` with diagnostics of its own.
template <class Read>
void look(int lines, Read read) {
    config::Diagnostics diagnostics;
    try {
        read(diagnostics);
    } catch (const InputError& error) {
        DSE_INVARIANT(*error.what() != '\0');
        return;
    }
    for (const config::Diagnostic& diagnostic : diagnostics.all())
        DSE_INVARIANT(diagnostic.where.line >= 0 && diagnostic.where.line <= lines);
    DSE_INVARIANT(config::printable(diagnostics.text()) == diagnostics.text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file = fuzz::input_file(data, size, ".input");
    // Lines of the sound files count as well.
    const int lines = std::max(5, static_cast<int>(std::count(data, data + size, '\n')) + 1);
    for (int which = 0; which < 3; ++which) {
        const auto path = [&](int part) { return part == which ? file : sound_file(part); };
        look(lines, [&](auto& diagnostics) {
            (void)netsim::read_astra_machine({path(0), path(1), path(2)}, diagnostics);
        });
    }
    look(lines, [&](auto& diagnostics) { (void)model::read_architecture_file(file, diagnostics); });
    for (const auto input : {model::TopologyInput::gemm, model::TopologyInput::conv})
        look(lines, [&](auto& diagnostics) { (void)model::read_topology_file(file, input, diagnostics); });
    look(lines, [&](auto&) {
        app::ConfigFile config{file};
        (void)config.architecture();
        (void)config.unknown();
    });
    return 0;
}
