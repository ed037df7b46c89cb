#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/config/range.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Devices that do one half of serving, and how a worker lies on them.
struct PoolSpec {
    std::int64_t devices{0};  ///< of all its workers; 0: there are no pools
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t ep{1};
    std::int64_t attention_dp{1};  ///< ranks of a worker that each attend to requests of their own
    friend bool operator==(const PoolSpec&, const PoolSpec&) = default;
};

template <class Visitor>
void describe(Visitor& v, PoolSpec& pool) {
    v.optional("devices", pool.devices, config::not_negative, "of all its workers; 0: no pools");
    v.optional("tp", pool.tp, config::at_least(1), "tensor-parallel degree of a worker");
    v.optional("pp", pool.pp, config::at_least(1), "pipeline stages of a worker");
    v.optional("ep", pool.ep, config::at_least(1), "devices of a worker that share the experts of a layer");
    v.optional("attention_dp", pool.attention_dp, config::at_least(1),
               "ranks of a worker that each attend to requests of their own");
}

/// How a prompt's cache goes from one pool to the other.
enum class CacheTransfer : std::uint8_t {
    layers,  ///< each layer's while the next is computed: what lies behind the prompt is the last one's
    whole,   ///< all of it behind the prompt
};
std::span<const std::string_view> choice_names(CacheTransfer);

/// Who answers with a request's first token: where the pool that decodes does, the client waits for the cache
/// to arrive; else the wait lies between the first two tokens.
enum class FirstToken : std::uint8_t { prefill, decode };
std::span<const std::string_view> choice_names(FirstToken);

/// Mode serving on two pools: one reads prompts and hands their caches to the other, which generates. The
/// ranks of the first come first; SystemSpec::device_classes may give either of them other devices.
struct PoolsSpec {
    PoolSpec prefill;
    PoolSpec decode;
    CacheTransfer transfer{CacheTransfer::layers};
    FirstToken first_token{FirstToken::prefill};
    friend bool operator==(const PoolsSpec&, const PoolsSpec&) = default;

    [[nodiscard]] bool exist() const { return prefill.devices > 0 || decode.devices > 0; }
};

Problems problems_of(const PoolsSpec& pools);

template <class Visitor>
void describe(Visitor& v, PoolsSpec& pools) {
    v.optional_section("prefill", pools.prefill, "reads prompts");
    v.optional_section("decode", pools.decode, "generates answers");
    v.optional("transfer", pools.transfer, "how a prompt's cache goes from one to the other");
    v.optional("first_token", pools.first_token, "which pool answers with it");
    check_after_reading(v, pools);
}

}  // namespace dse::hardware
