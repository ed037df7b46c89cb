#pragma once

#include "dse/base/units.hpp"
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
    /// Rate in eight bits with d = 128, relative to the rate in 16 bits. It grows in proportion to d, since
    /// softmax takes the time, not the products. 0: attention in eight bits takes the time of 16 bits.
    double fp8_rate{0.0};
    /// Fixed time of attention of single tokens to a cache, which is split along the context, beyond that of
    /// an empty kernel and of reading the cache.
    Seconds cache_latency{0.0};
    /// The same in a replayed CUDA graph, as in the steps of mode serving. 0: cache_latency.
    Seconds graph_cache_latency{0.0};
    /// Share of the memory bandwidth at which kernels read the cached vectors of latent attention for 17 to
    /// 32 heads: more than fit the tile of few heads, and few for that of many.
    double latent_rate_32{1.0};
    /// Rows of a tile that vLLM's kernel computes for each decoding sequence in a step that also reads
    /// prompts: FlashAttention 2 does both in one call, in which it neither packs the heads of a group into a
    /// tile nor splits the context. 0: decoding sequences have a kernel of their own.
    double mixed_rows{0.0};
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
    v.optional("fp8_rate", attention.fp8_rate, config::not_negative,
               "rate in eight bits for d = 128, relative to 16 bits; 0: as 16 bits");
    v.optional("cache_latency", attention.cache_latency, config::not_negative,
               "fixed time of attention of single tokens to a cache, beyond an empty kernel");
    v.optional("graph_cache_latency", attention.graph_cache_latency, config::not_negative,
               "cache_latency in a replayed graph (mode serving); by default cache_latency");
    v.optional("latent_rate_32", attention.latent_rate_32, config::fraction,
               "share of the memory bandwidth at which latent attention of 17 to 32 heads reads its cache");
    v.optional(
        "mixed_rows", attention.mixed_rows, config::between(0, 1024),
        "rows computed for each decoding sequence in vLLM's steps that also read prompts; 0: its own kernel");
    check_after_reading(v, attention);
}

}  // namespace dse::hardware
