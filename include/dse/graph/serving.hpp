#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/config/choices.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/precision.hpp"

namespace dse::graph {

/// What is run.
enum class Mode : std::uint8_t {
    training,
    prefill,  ///< processes prompts and caches their keys and values, up to the first output token
    decode,   ///< generates one more token per sequence from a cache
    serving,  ///< requests arrive, wait and are answered
};
DSE_CHOICES(Mode, training, prefill, decode, serving);

constexpr bool is_inference(Mode mode) {
    return mode != Mode::training;
}

/// Precision of cached keys and values.
enum class CachePrecision : std::uint8_t {
    automatic,  ///< that of activations: bf16 even if matrix products are narrower
    fp32,
    bf16,
    fp16,
    fp8,
    fp4,
    int8,
};
/// Names as sweeps write them: auto, fp32, …
std::span<const std::string_view> choice_names(CachePrecision);

/// \param activations  what `automatic` stands for
Precision storage_of(CachePrecision cache, Precision activations);

/// Precision of the states of recurrent layers (Mamba-2's, Gated DeltaNet's) between two tokens.
enum class StatePrecision : std::uint8_t { fp32, bf16, fp16 };
DSE_CHOICES(StatePrecision, fp32, bf16, fp16);

Precision storage_of(StatePrecision state);

/// Sequences and their cache in inference. Has no effect in training.
struct Serving {
    std::int64_t output{0};  ///< tokens generated per request
    /// Tokens that a decode step attends to, its own included; 0: the prompt and half of the output.
    std::int64_t context{0};
    std::int64_t kv_block{16};  ///< tokens per page of the cache
    CachePrecision kv_cache_precision{CachePrecision::automatic};
    StatePrecision state_precision{StatePrecision::fp32};
    std::int64_t pipeline_batches{0};  ///< parts of a replica's batch in flight at once; 0: one per stage
    std::int64_t prefill_batch{0};     ///< decode: prompts processed at once; 0: one per replica
    friend bool operator==(const Serving&, const Serving&) = default;
};

/// Above this, products of sizes are no longer exact in double precision.
inline constexpr double most_tokens = 1099511627776;  // 2^40

template <class Visitor>
void describe(Visitor& v, Serving& serving) {
    v.optional("output", serving.output, config::between(0, most_tokens),
               "inference: tokens generated per request");
    v.optional("context", serving.context, config::between(0, most_tokens),
               "decode: tokens that a step attends to; by default the prompt and half of the output");
    v.optional("kv_block", serving.kv_block, config::between(1, most_tokens),
               "inference: tokens per page of the cache");
    v.optional("kv_cache_precision", serving.kv_cache_precision,
               "inference: precision of cached keys and values");
    v.optional("state_precision", serving.state_precision, "inference: precision of recurrent states");
    v.optional("pipeline_batches", serving.pipeline_batches, config::between(0, most_tokens),
               "inference: parts of a replica's batch in flight at once; by default one per stage");
    v.optional("prefill_batch", serving.prefill_batch, config::between(0, most_tokens),
               "decode: prompts processed at once; by default one per replica");
}

/// \throws ModelError naming the field that is out of range
void require_valid(const Serving& serving);

/// Tokens per sequence that one step attends to, and for which the cache is allocated.
struct CacheExtent {
    std::int64_t context{0};  ///< in prefill: the prompt
    std::int64_t cached{0};   ///< whole pages on each of the ranks that share a sequence
};

/// In decode the cache has room for every sequence to reach its full length.
/// \param ranks  number of ranks that share a sequence
CacheExtent cache_extent(Mode mode, const Serving& serving, std::int64_t sequence, std::int64_t ranks);

}  // namespace dse::graph
