#pragma once

#include <string>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/serving.hpp"
#include "dse/graph/serving_engine.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/hardware/pools_spec.hpp"

namespace dse::eval {

/// Properties of a serving engine or of some of its releases.
struct EngineFacts {
    std::string match;  ///< prefix of "framework release" to which it applies
    std::string stack{"vllm_2025"};
    graph::CachePrecision kv_cache_precision{graph::CachePrecision::automatic};
    Seconds collective_launch{0.0};  ///< fixed time of the engine's own all-reduce; 0: the cluster's value
    double attention_rate{1.0};      ///< rate of attention, relative to the device's
    graph::ServingEngine serving;
    graph::Dispatcher dispatcher{graph::Dispatcher::all_to_all};  ///< between attention ranks
    hardware::CacheTransfer transfer{hardware::CacheTransfer::layers};
    hardware::FirstToken first_token{hardware::FirstToken::prefill};
    hardware::PrefillRanks prefill_ranks{hardware::PrefillRanks::turns};
};

template <class Visitor>
void describe(Visitor& v, EngineFacts& engine) {
    v.required("match", engine.match, "prefix of framework and release to which it applies");
    v.optional("stack", engine.stack, "file of workloads/stacks");
    v.optional("kv_cache_precision", engine.kv_cache_precision, "precision of cached keys and values");
    v.optional("collective_launch", engine.collective_launch, config::not_negative,
               "fixed time of the engine's own all-reduce");
    v.optional("attention_rate", engine.attention_rate, config::positive,
               "rate of attention relative to that of the device");
    v.optional("dispatcher", engine.dispatcher, "how attention ranks send tokens to experts");
    v.optional("transfer", engine.transfer, "how caches are transferred between pools");
    v.optional("first_token", engine.first_token, "pool that returns the first token");
    v.optional("prefill_ranks", engine.prefill_ranks,
               "how requests come to the attention ranks of a prefill worker");
    v.optional_section("serving", engine.serving, "defaults of the engine");
}

}  // namespace dse::eval
