#pragma once

#include <cstdint>

#include "dse/config/choices.hpp"
#include "dse/config/range.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// A pool of devices for prefill or decode, and the layout of each of its workers.
struct PoolSpec {
    std::int64_t devices{0};  ///< number of devices of all workers; 0: there are no pools
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t ep{1};
    std::int64_t attention_dp{1};   ///< data-parallel attention ranks within a worker
    std::int64_t max_sequences{0};  ///< per attention rank; 0: the engine's
    std::int64_t token_budget{0};   ///< tokens per step of an attention rank; 0: the engine's
    friend bool operator==(const PoolSpec&, const PoolSpec&) = default;
};

template <class Visitor>
void describe(Visitor& v, PoolSpec& pool) {
    v.optional("devices", pool.devices, config::not_negative, "devices of all workers; 0: no pools");
    v.optional("tp", pool.tp, config::at_least(1), "tensor-parallel degree of a worker");
    v.optional("pp", pool.pp, config::at_least(1), "pipeline stages of a worker");
    v.optional("ep", pool.ep, config::at_least(1), "devices of a worker that share the experts of a layer");
    v.optional("attention_dp", pool.attention_dp, config::at_least(1),
               "data-parallel attention ranks within a worker");
    v.optional("max_sequences", pool.max_sequences, config::between(0, 1e6),
               "largest number of running requests per attention rank; 0: as serving.max_sequences");
    v.optional("token_budget", pool.token_budget, config::between(0, 1e6),
               "largest number of tokens per step of an attention rank; 0: as serving.token_budget");
}

/// How the cache of a prompt is transferred from one pool to the other.
enum class CacheTransfer : std::uint8_t {
    layers,  ///< each layer's part while the next layer runs, so that only the last part follows the prompt
    whole,   ///< all of it after the prompt
};
DSE_CHOICES(CacheTransfer, layers, whole);

/// The pool that returns the first token. If the decode pool does, the time to first token includes the
/// transfer of the cache and the wait for a place among the running requests; otherwise both fall between the
/// first two tokens.
enum class FirstToken : std::uint8_t { prefill, decode };
DSE_CHOICES(FirstToken, prefill, decode);

/// How a prefill worker's requests come to its attention ranks. `random`: each to a rank drawn for it, as
/// under SGLang, whose router draws a number for each request, of which the worker takes the remainder.
enum class PrefillRanks : std::uint8_t { turns, random };
DSE_CHOICES(PrefillRanks, turns, random);

/// Serving with disaggregated pools: the prefill pool processes prompts and sends their caches to the decode
/// pool, which generates tokens. Ranks of the prefill pool come first; SystemSpec::device_classes may assign
/// different devices to either pool.
struct PoolsSpec {
    PoolSpec prefill;
    PoolSpec decode;
    CacheTransfer transfer{CacheTransfer::layers};
    FirstToken first_token{FirstToken::prefill};
    PrefillRanks prefill_ranks{PrefillRanks::turns};
    friend bool operator==(const PoolsSpec&, const PoolsSpec&) = default;

    [[nodiscard]] bool exist() const { return prefill.devices > 0 || decode.devices > 0; }
};

Problems problems_of(const PoolsSpec& pools);

template <class Visitor>
void describe(Visitor& v, PoolsSpec& pools) {
    v.optional_section("prefill", pools.prefill, "pool that processes prompts");
    v.optional_section("decode", pools.decode, "pool that generates tokens");
    v.optional("transfer", pools.transfer, "how caches are transferred between the pools");
    v.optional("first_token", pools.first_token, "pool that returns the first token");
    v.optional("prefill_ranks", pools.prefill_ranks,
               "how requests come to the attention ranks of a prefill worker");
    check_after_reading(v, pools);
}

}  // namespace dse::hardware
