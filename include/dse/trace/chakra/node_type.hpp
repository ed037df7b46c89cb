#pragma once

#include <cstdint>
#include <string_view>

namespace dse::trace::chakra {

/// The standard's node types, with its numbers.
enum class NodeType : std::uint8_t {
    invalid,
    metadata,
    mem_load,
    mem_store,
    comp,
    comm_send,
    comm_recv,
    comm_coll
};
inline constexpr std::size_t node_type_count = 8;
std::string_view name(NodeType type);

/// The standard's collective types (`comm_type`), with its numbers; `unknown` is any other number.
enum class CommType : std::uint8_t {
    all_reduce,
    reduce,
    all_gather,
    gather,
    scatter,
    broadcast,
    all_to_all,
    reduce_scatter,
    reduce_scatter_block,
    barrier,
    unknown
};
inline constexpr std::size_t comm_type_count = 11;
std::string_view name(CommType type);

}  // namespace dse::trace::chakra
