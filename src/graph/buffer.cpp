#include "dse/graph/buffer.hpp"

namespace dse::graph {

std::string_view name(MemoryKind kind) {
    if (kind == host_memory) return "host";
    constexpr std::array<std::string_view, memory_kind_count> names{
        "parameters",    "gradients", "optimizer", "activations",
        "communication", "workspace", "kv_cache",  "recurrent_state"};
    return names[static_cast<std::size_t>(kind)];
}

}  // namespace dse::graph
