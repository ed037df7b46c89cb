#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/config/range.hpp"
#include "dse/graph/precision.hpp"

namespace dse::graph {

/// What is run.
enum class Mode : std::uint8_t {
    training,
    prefill,  ///< prompts are read and their keys and values cached, up to the first token
    decode,   ///< one more token a sequence, against a cache
    serving,  ///< requests that arrive, wait and are answered
};
std::span<const std::string_view> choice_names(Mode);

constexpr bool is_inference(Mode mode) {
    return mode != Mode::training;
}

/// Storage of cached keys and values.
enum class CachePrecision : std::uint8_t {
    automatic,  ///< as activations: bf16 also where products are narrower
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

/// Requests and their cache. Of no effect in training.
struct Serving {
    std::int64_t output{0};   ///< tokens that a request generates after its prompt
    std::int64_t context{0};  ///< tokens that a decode step attends to, itself included; 0: half-way through
    std::int64_t kv_block{16};  ///< tokens a page of the cache
    CachePrecision kv_cache_precision{CachePrecision::automatic};
    std::int64_t pipeline_batches{0};  ///< parts of a replica's batch under way at once; 0: one a stage
    std::int64_t prefill_batch{0};     ///< prompts that a decode point reads at once; 0: one a replica
    friend bool operator==(const Serving&, const Serving&) = default;
};

/// Beyond these, products of sizes are no whole numbers in doubles any more.
inline constexpr double most_tokens = 1099511627776;  // 2^40

template <class Visitor>
void describe(Visitor& v, Serving& serving) {
    v.optional("output", serving.output, config::between(0, most_tokens),
               "inference: tokens that a request generates");
    v.optional("context", serving.context, config::between(0, most_tokens),
               "decode: tokens that a step attends to; by default the prompt and half of the output");
    v.optional("kv_block", serving.kv_block, config::between(1, most_tokens),
               "inference: tokens a page of the cache");
    v.optional("kv_cache_precision", serving.kv_cache_precision, "inference: of cached keys and values");
    v.optional("pipeline_batches", serving.pipeline_batches, config::between(0, most_tokens),
               "inference: parts of a replica's batch that follow one another; by default one a stage");
    v.optional("prefill_batch", serving.prefill_batch, config::between(0, most_tokens),
               "decode: prompts that are read at once; by default one a replica");
}

/// \throws ModelError naming the field that is out of its range
void require_valid(const Serving& serving);

/// Tokens that one step attends to, and tokens that the cache holds room for.
struct CacheExtent {
    std::int64_t context{0};  ///< the prompt in prefill
    std::int64_t cached{0};   ///< whole pages on each of the ranks that share a sequence
};

/// In decode there is room for every sequence to run to its end. \param ranks  that share a sequence
CacheExtent cache_extent(Mode mode, const Serving& serving, std::int64_t sequence, std::int64_t ranks);

}  // namespace dse::graph
