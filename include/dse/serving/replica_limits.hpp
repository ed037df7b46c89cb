#pragma once

#include <cstdint>
#include <vector>

#include "dse/graph/request_patience.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/serving/paged_cache.hpp"
#include "dse/serving/request.hpp"

namespace dse::serving {

/// Limits of a replica.
struct ReplicaLimits {
    std::int64_t pages{0};
    std::int64_t page_tokens{16};
    graph::ServingEngine engine;
    std::int64_t adapters{0};  ///< that requests name; 0: none
    /// Decode steps after which the scheduler looks for new requests; 0: engine.receive_every. A step with
    /// draft tokens counts as the tokens that it yields.
    std::int64_t look_every{0};
    /// How long clients wait for an answer, by kind of request; empty: for ever.
    std::vector<graph::RequestPatience> patience{};
    std::int64_t host_pages{0};  ///< that host memory keeps; 0: it keeps none
    double copy_time{0};         ///< s, to copy the cache of a token from host memory
    /// That each request holds beside those of its tokens, for its recurrent state.
    std::int64_t state_pages{0};
};

/// Pages of a request that has this many tokens in the cache, its state included.
inline std::int64_t pages_of(const ReplicaLimits& limits, std::int64_t tokens) {
    return pages_for(tokens, limits.page_tokens) + limits.state_pages;
}

/// Whether prompts share pages. Pieces are only shared if they consist of whole pages.
bool shares_prefixes(const ReplicaLimits& limits, const Requests& requests);
/// Whether preempted requests may find their pages again. SGLang keeps prompts only, in its tree, and
/// TensorRT-LLM preempts nobody.
bool finds_pages_again(const graph::ServingEngine& engine);

}  // namespace dse::serving
