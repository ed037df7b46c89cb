#pragma once

#include <cstdint>
#include <string_view>

#include "ir/program/fused_attention.hpp"

namespace dse::ir {

/// What a foreign call calls, if its target determines it.
enum class ForeignKind : std::uint8_t {
    attention,        ///< starts with queries, keys and values: what FusedAttention describes
    other_attention,  ///< packed operands (Transformer Engine), or a gradient first (flash_attn)
    product,          ///< of two matrices
    convolution,
    other
};

struct ForeignTarget {
    ForeignKind kind{ForeignKind::other};
    /// For attention: layout of operands and results, unless the call states another.
    FusedAttention::Order order{FusedAttention::Order::heads_first};
};

/// Determined by the beginning of the target's name.
ForeignTarget foreign_target(std::string_view name);

}  // namespace dse::ir
