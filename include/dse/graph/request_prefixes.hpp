#pragma once

#include <cstdint>

#include "dse/config/range.hpp"
#include "dse/graph/request_lengths.hpp"

namespace dse::graph {

/// Beginnings that prompts have in common, such as system prompts: each request that has one begins with one
/// of `prefixes`, and its own prompt follows (the shared prefixes of vLLM's and SGLang's clients).
struct RequestPrefixes {
    std::int64_t prefix{0};    ///< tokens of each, before those of the prompt; 0: prompts share nothing
    std::int64_t prefixes{1};  ///< number of different ones
    double prefix_share{1.0};  ///< of the requests that begin with one
    double prefix_skew{0.0};   ///< the nth is used in proportion to n^-skew (Zipf)
    friend bool operator==(const RequestPrefixes&, const RequestPrefixes&) = default;
};

template <class Visitor>
void describe(Visitor& v, RequestPrefixes& prefixes) {
    v.optional("prefix", prefixes.prefix, config::between(0, most_request_tokens),
               "tokens of a beginning that prompts have in common (system prompt), before `prompt`; 0: none");
    v.optional("prefixes", prefixes.prefixes, config::between(1, 1e6), "number of such beginnings");
    v.optional("prefix_share", prefixes.prefix_share, config::share,
               "share of the requests that begin with one of them");
    v.optional("prefix_skew", prefixes.prefix_skew, config::between(0, 10),
               "they are used in proportion to n^-skew (Zipf's law); 0: equally often");
}

}  // namespace dse::graph
