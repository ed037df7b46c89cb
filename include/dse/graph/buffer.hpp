#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dse/base/units.hpp"

namespace dse::graph {

/// What memory is used for.
enum class MemoryKind : std::uint8_t {
    parameters,
    gradients,
    optimizer,
    activations,
    communication,  ///< gathered parameters, buffers of collectives in flight
    workspace,
    kv_cache,         ///< keys and values of the sequences being served
    recurrent_state,  ///< states of their layers without attention to what came before
};
inline constexpr std::size_t memory_kind_count = 8;
/// Marks buffers that were offloaded to the host's memory. It is not one of the kinds above and is counted
/// apart from them.
inline constexpr MemoryKind host_memory{memory_kind_count};
std::string_view name(MemoryKind kind);

/// One rank's allocation.
struct Buffer {
    MemoryKind kind{MemoryKind::activations};
    Bytes size;
};

}  // namespace dse::graph
