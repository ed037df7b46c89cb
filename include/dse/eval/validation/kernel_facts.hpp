#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/serving.hpp"

namespace dse::eval {

/// Kernels that a launch script or a release chooses: see graph::SoftwareStack and graph::ServingEngine. 0,
/// false and automatic keep the engine's.
struct KernelFacts {
    Seconds cast_launch{0.0};
    Seconds cast_row_time{0.0};
    double cast_rows_half{0.0};
    Seconds expert_launch{0.0};
    double prompt_dense_rate{0.0};
    std::int64_t sparse_heads{0};
    double expert_rate{0.0};
    double prompt_expert_rate{0.0};
    std::int64_t few_expert_rows{0};
    std::int64_t expert_tile{0};
    std::int64_t least_expert_tile{0};
    double expert_tile_margin{0.0};
    double tile_reading{0.0};
    double weight_bits{0.0};
    double widening_rate{0.0};
    bool fused_experts{false};
    bool fused_shared_expert{false};
    graph::CachePrecision kv_cache_precision{graph::CachePrecision::automatic};
};

template <class Visitor>
void describe(Visitor& v, KernelFacts& kernels) {
    v.optional("cast_launch", kernels.cast_launch, config::not_negative, "of casts to eight bits");
    v.optional("cast_row_time", kernels.cast_row_time, config::not_negative, "of casts to eight bits");
    v.optional("cast_rows_half", kernels.cast_rows_half, config::not_negative, "of casts to eight bits");
    v.optional("expert_launch", kernels.expert_launch, config::not_negative, "of the kernels of experts");
    v.optional("prompt_dense_rate", kernels.prompt_dense_rate, config::share,
               "of the kernels of dense products");
    v.optional("sparse_heads", kernels.sparse_heads, config::not_negative,
               "of the kernel of sparse attention");
    v.optional("expert_rate", kernels.expert_rate, config::share, "of the kernels of experts");
    v.optional("prompt_expert_rate", kernels.prompt_expert_rate, config::share, "of the kernels of experts");
    v.optional("few_expert_rows", kernels.few_expert_rows, config::not_negative, "of the kernels of experts");
    v.optional("expert_tile", kernels.expert_tile, config::not_negative, "of the kernels of experts");
    v.optional("least_expert_tile", kernels.least_expert_tile, config::between(0, 64),
               "of the kernels of experts");
    v.optional("expert_tile_margin", kernels.expert_tile_margin, config::not_negative,
               "of the kernels of experts");
    v.optional("tile_reading", kernels.tile_reading, config::share, "of the kernels of experts");
    v.optional("weight_bits", kernels.weight_bits, config::between(0, 16),
               "of experts in memory: with scales, and with the padding that their kernels need");
    v.optional("widening_rate", kernels.widening_rate, config::share, "of the kernels of experts");
    v.optional("fused_experts", kernels.fused_experts, "of the kernels of experts");
    v.optional("fused_shared_expert", kernels.fused_shared_expert, "of the kernels of experts");
    v.optional("kv_cache_precision", kernels.kv_cache_precision, "that is set");
}

}  // namespace dse::eval
