// Any bytes as a profile of PyTorch, and as an execution trace of its host: no crash, no hang, nothing thrown
// but what a user is told; whatever is read becomes a graph that waits for what is there, and that can be
// played.

#include <cstddef>
#include <cstdint>
#include <string>

#include "dse/base/error.hpp"
#include "dse/trace/kineto/host_trace.hpp"
#include "dse/trace/kineto/replay_graph.hpp"
#include "fuzz/input_file.hpp"
#include "fuzz/invariant.hpp"

using namespace dse;
using namespace dse::trace::kineto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string& path = fuzz::input_file(data, size, ".json");
    try {
        const ReplayGraph graph = replay_graph(read_profile(path));
        for (const ReplayNode& node : graph.nodes) {
            DSE_INVARIANT(node.duration >= 0 && node.end >= node.start);
            DSE_INVARIANT(!node.before || *node.before < graph.nodes.size());
            for (const std::uint32_t other : node.data) DSE_INVARIANT(other < graph.nodes.size());
        }
        DSE_INVARIANT(replay_time(graph) >= 0);
    } catch (const InputError&) {
    }
    try {
        for (const CollectiveNote& note : read_host_trace(path).collectives)
            DSE_INVARIANT(!note.kind.empty());
    } catch (const InputError&) {
    }
    return 0;
}
