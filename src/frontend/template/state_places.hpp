#pragma once

#include <cstdint>

#include "dse/graph/software_stack.hpp"

namespace dse::frontend {

// Where gradients and the optimizer's states are.

/// The lowest ZeRO stage at which gradients are kept as shards.
inline std::int64_t shards_gradients_from(const graph::SoftwareStack& stack) {
    constexpr std::int64_t never = 4;
    return stack.accumulate_whole ? never : 2;
}

/// Whether the host updates parameters, so that gradients and parameters are copied to and from it.
inline bool updates_on_host(const graph::SoftwareStack& stack) {
    return stack.offload == graph::Offload::optimizer || stack.offload == graph::Offload::both;
}

}  // namespace dse::frontend
