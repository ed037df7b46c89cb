#include "dse/hardware/attention_spec.hpp"

namespace dse::hardware {

Problems problems_of(const AttentionSpec& attention) {
    Problems problems;
    problems.fraction("efficiency", attention.efficiency, "a share of the matmul rate");
    problems.not_negative("head_dim_half", attention.head_dim_half, "a head dimension");
    problems.not_negative("sequence_half", attention.sequence_half, "a number of keys");
    return problems;
}

}  // namespace dse::hardware
