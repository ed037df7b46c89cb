#include "dse/graph/serving_conflicts.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

ServingConflicts conflicts_of_trace(const Traffic& traffic) {
    if (traffic.rate.value() == 0.0) return {};
    return {{{"traffic.rate", "traffic.trace"},
             "traffic has both a trace and a rate (leave one out; speed changes a trace's)"}};
}

}  // namespace

ServingConflicts conflicts_of(const Traffic& traffic) {
    if (!traffic.trace.empty()) return conflicts_of_trace(traffic);
    ServingConflicts conflicts;
    const bool open = traffic.rate.value() > 0.0;
    const bool closed = traffic.clients > 0;
    if (open && closed)
        conflicts.push_back({{"traffic.clients", "traffic.rate", "traffic.trace"},
                             "traffic has both a rate and clients (an open loop has the one, a closed loop "
                             "the other)"});
    if (!open && !closed)
        conflicts.push_back({{"traffic.rate", "traffic.clients", "traffic.trace"},
                             "traffic has neither rate, nor clients, nor trace: nothing arrives"});
    const bool spreads = traffic.prompt_spread > 0.0 || traffic.output_spread > 0.0;
    if (traffic.length_ratio != 1.0 && spreads)
        conflicts.push_back(
            {{"traffic.length_ratio", "traffic.prompt_spread", "traffic.output_spread", "traffic.trace"},
             "traffic has both a length_ratio and a spread (lengths are uniform or log-normal)"});
    return conflicts;
}

ServingConflicts conflicts_of(const ServingEngine& engine) {
    ServingConflicts conflicts;
    if (engine.max_sequences > engine.token_budget)
        conflicts.push_back({{"serving.max_sequences", "serving.token_budget"},
                             fmt::format("max_sequences {} is more than token_budget {}: a step has a token "
                                         "for each sequence",
                                         engine.max_sequences, engine.token_budget)});
    if (engine.hold_steps > 0 && engine.scheduler != Scheduler::tensorrt)
        conflicts.push_back({{"serving.hold_steps", "serving.scheduler"},
                             "hold_steps: only scheduler tensorrt lets prompts wait for others"});
    if (engine.least_replicas > 0 && engine.router != Router::least_loaded)
        conflicts.push_back({{"serving.least_replicas", "serving.router"},
                             "least_replicas: replicas start and stop only with router least_loaded"});
    if (engine.receive_every > 1 && engine.scheduler != Scheduler::sglang)
        conflicts.push_back({{"serving.receive_every", "serving.scheduler"},
                             "receive_every: only scheduler sglang looks for new requests now and then"});
    return conflicts;
}

ServingConflicts conflicts_of(const ServiceLevels& levels, const Traffic& traffic) {
    if (levels.rate_within == 0.0) return {};
    ServingConflicts conflicts;
    if (traffic.clients > 0)
        conflicts.push_back({{"slo.rate_within", "traffic.clients"},
                             "rate_within: clients of a closed loop have no rate (leave it out)"});
    if (levels.most == ServiceLevels{}.most)
        conflicts.push_back(
            {{"slo.rate_within"},
             "rate_within: no level is stated that a rate could break (as in slo: {tpot_p99: 50 ms})"});
    return conflicts;
}

void require_none(const ServingConflicts& conflicts) {
    if (!conflicts.empty()) throw ModelError(conflicts.front().reason);
}

}  // namespace dse::graph
