#pragma once

#include <cstdint>
#include <string_view>

#include "ir/program/fused_attention.hpp"

namespace dse::ir {

/// What a foreign call is a call of, where its target says so.
enum class ForeignKind : std::uint8_t {
    attention,        ///< queries, keys and values in front: what FusedAttention describes
    other_attention,  ///< operands packed (Transformer Engine), or with a gradient in front (flash_attn)
    product,          ///< of two matrices
    convolution,
    other
};

struct ForeignTarget {
    ForeignKind kind{ForeignKind::other};
    /// Of an attention: how its operands and results lie unless the call says otherwise.
    FusedAttention::Order order{FusedAttention::Order::heads_first};
};

/// By how the name of a target begins.
ForeignTarget foreign_target(std::string_view name);

}  // namespace dse::ir
