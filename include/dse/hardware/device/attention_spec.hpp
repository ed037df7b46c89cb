#pragma once

#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Rate of a fused attention kernel with head dimension d and s keys, as a share of the sustained matmul
/// rate:
///
///     efficiency · (1 + head_dim_half/128) · d/(d + head_dim_half) · s/(s + sequence_half)
///
/// so that `efficiency` is reached for long sequences with d = 128. With the defaults it is the matmul rate.
struct AttentionSpec {
    double efficiency{1.0};
    /// Head dimension at which the rate is half of its limit.
    double head_dim_half{0.0};
    /// Number of keys at which the rate is half of its limit.
    double sequence_half{0.0};
};

Problems problems_of(const AttentionSpec& attention);

template <class Visitor>
void describe(Visitor& v, AttentionSpec& attention) {
    v.optional("efficiency", attention.efficiency, config::fraction,
               "share of the matmul rate for d = 128 and long sequences");
    v.optional("head_dim_half", attention.head_dim_half, config::not_negative,
               "head dimension at which the rate is half of its limit");
    v.optional("sequence_half", attention.sequence_half, config::not_negative,
               "number of keys at which the rate is half of its limit");
    check_after_reading(v, attention);
}

}  // namespace dse::hardware
