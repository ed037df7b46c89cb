#include "dse/trace/chakra/node_type.hpp"

#include <array>
#include <cstddef>

namespace dse::trace::chakra {

std::string_view name(NodeType type) {
    constexpr std::array<std::string_view, node_type_count> names{
        "invalid", "metadata", "mem_load", "mem_store", "comp", "comm_send", "comm_recv", "comm_coll"};
    return names[static_cast<std::size_t>(type)];
}

std::string_view name(CommType type) {
    constexpr std::array<std::string_view, comm_type_count> names{
        "all_reduce", "reduce",         "all_gather",           "gather",  "scatter", "broadcast",
        "all_to_all", "reduce_scatter", "reduce_scatter_block", "barrier", "unknown"};
    return names[static_cast<std::size_t>(type)];
}

}  // namespace dse::trace::chakra
