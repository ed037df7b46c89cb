#include "dse/graph/serving_conflicts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/graph/class_columns.hpp"

namespace dse::graph {
namespace {

void check_trace(const Traffic& traffic, ServingConflicts& conflicts) {
    if (traffic.rate.value() > 0.0)
        conflicts.push_back({{"traffic.rate", "traffic.trace"},
                             "traffic has both a trace and a rate (leave one out; speed changes a trace's)"});
    if (traffic.prefix > 0)
        conflicts.push_back({{"traffic.prefix", "traffic.trace"},
                             "traffic has both a trace and a prefix (a trace states its own: hash_ids, "
                             "prefix_block_ids)"});
    if (traffic.turns > 1)
        conflicts.push_back({{"traffic.turns", "traffic.trace"},
                             "traffic has both a trace and turns (a trace states its own: chat_id, hash_ids, "
                             "prefix_block_ids)"});
    if (!traffic.classes.empty())
        conflicts.push_back({{"traffic.classes", "traffic.trace"},
                             "traffic has both a trace and classes (requests of a trace have no class)"});
}

/// How the rate of drawn requests changes over time.
void check_course(const Traffic& traffic, ServingConflicts& conflicts) {
    const bool ramps = traffic.ramp_to.value() > 0.0;
    const bool swings = traffic.day.value() > 0.0;
    if ((ramps || swings) && traffic.rate.value() == 0.0)
        conflicts.push_back({{ramps ? "traffic.ramp_to" : "traffic.day", "traffic.rate"},
                             fmt::format("{} needs a rate, which is what changes: clients of a closed loop "
                                         "and traces have none (speed changes a trace's)",
                                         ramps ? "ramp_to" : "day")});
    if (ramps && swings)
        conflicts.push_back({{"traffic.ramp_to", "traffic.day"},
                             "traffic has both a ramp and a day (leave out ramp_to or day)"});
    if (ramps != (traffic.ramp_time.value() > 0.0))
        conflicts.push_back(
            {{ramps ? "traffic.ramp_to" : "traffic.ramp_time", "traffic.ramp_to", "traffic.ramp_time"},
             "a ramp needs both ramp_to (above 0) and ramp_time"});
}

/// How conversations go on.
void check_turns(const Traffic& traffic, ServingConflicts& conflicts) {
    if (!has_conversations(traffic)) return;
    // Clients wait for the answer, and may go on at once.
    if (traffic.clients > 0) return;
    const auto lacks_gap = [](const RequestTurns& some) {
        return some.turns > 1 && some.turn_gap.value() == 0.0;
    };
    if (lacks_gap(traffic))
        conflicts.push_back({{"traffic.turns", "traffic.turn_gap"},
                             "turns need a turn_gap, the time from one request of a conversation to its "
                             "next (turn_gap: 60 s)"});
    for (const RequestClass& one : traffic.classes) {
        if (lacks_gap(one))
            conflicts.push_back(
                {{"traffic.classes"},
                 fmt::format("class '{}' has turns without a turn_gap (turn_gap: 60 s)", one.name)});
    }
}

/// Lengths that all requests would have without classes.
bool states_lengths(const RequestLengths& lengths) {
    return lengths != RequestLengths{};
}

/// A length cannot be both uniform and log-normal.
bool draws_both_ways(const RequestLengths& lengths) {
    return lengths.length_ratio != 1.0 && (lengths.prompt_spread > 0.0 || lengths.output_spread > 0.0);
}

/// \returns why the class is not valid; empty if it is
std::string fault_of(const Traffic& traffic, std::size_t number) {
    const RequestClass& one = traffic.classes[number];
    if (one.name.empty() || one.name.find_first_of(",\"\n\r") != std::string::npos)
        return "needs a name without commas and quotes, since tables of requests show it";
    for (std::size_t other = 0; other < number; ++other)
        if (traffic.classes[other].name == one.name) return "has the name of another class";
    for (std::size_t other = 0; other < number; ++other)
        if (column_prefix(traffic.classes[other]) == column_prefix(one))
            return fmt::format(
                "would have the same columns as '{}' ({}_…): names differ in letters or digits",
                traffic.classes[other].name, column_prefix(one));
    if (draws_both_ways(one))
        return "has both a length_ratio and a spread (lengths are uniform or log-normal)";
    if (one.levels.rate_within > 0.0)
        return "states rate_within, which belongs to workload.slo: rates are those of all classes";
    constexpr std::size_t itl = 2;
    if (one.levels.most[itl] != ServiceLevels{}.most[itl])
        return "states a level of itl, which is not known by class (tpot is)";
    return {};
}

void check_classes(const Traffic& traffic, ServingConflicts& conflicts) {
    if (traffic.classes.empty()) return;
    if (traffic.classes.size() > most_classes)
        conflicts.push_back({{"traffic.classes"},
                             fmt::format("traffic has {} classes: there can be at most {}",
                                         traffic.classes.size(), most_classes)});
    if (states_lengths(traffic))
        conflicts.push_back({{"traffic.classes", "traffic.prompt", "traffic.output", "traffic.prompt_spread",
                              "traffic.output_spread", "traffic.length_ratio"},
                             "traffic has both classes and lengths for all requests (state them in each "
                             "class)"});
    if (traffic.prefix > 0)
        conflicts.push_back(
            {{"traffic.classes", "traffic.prefix"},
             "traffic has both classes and a prefix for all requests (state it in each class)"});
    if (traffic.turns > 1)
        conflicts.push_back(
            {{"traffic.classes", "traffic.turns"},
             "traffic has both classes and turns for all requests (state them in each class)"});
    if (traffic.ends())
        conflicts.push_back(
            {{"traffic.classes", "traffic.first_token_timeout", "traffic.timeout"},
             "traffic has both classes and time-outs for all requests (state them in each class)"});
    for (std::size_t i = 0; i < traffic.classes.size(); ++i) {
        const std::string fault = fault_of(traffic, i);
        if (fault.empty()) continue;
        conflicts.push_back(
            {{"traffic.classes"}, fmt::format("class '{}' {}", traffic.classes[i].name, fault)});
    }
}

}  // namespace

ServingConflicts conflicts_of(const Traffic& traffic) {
    ServingConflicts conflicts;
    check_course(traffic, conflicts);
    if (traffic.adapter_skew > 0.0 && traffic.adapters == 0)
        conflicts.push_back({{"traffic.adapter_skew", "traffic.adapters"},
                             "adapter_skew: requests name no adapters (say how many there are: adapters)"});
    if (!traffic.trace.empty()) {
        check_trace(traffic, conflicts);
        return conflicts;
    }
    check_classes(traffic, conflicts);
    check_turns(traffic, conflicts);
    const bool open = traffic.rate.value() > 0.0;
    const bool closed = traffic.clients > 0;
    if (open && closed)
        conflicts.push_back(
            {{"traffic.clients", "traffic.rate", "traffic.trace"},
             "traffic has both a rate and clients (an open loop has a rate, a closed loop has clients)"});
    if (!open && !closed)
        conflicts.push_back({{"traffic.rate", "traffic.clients", "traffic.trace"},
                             "traffic has neither rate, nor clients, nor trace: nothing arrives"});
    if (draws_both_ways(traffic))
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
    if (engine.graph_double_from > 0 &&
        (engine.graph_batch == 0 || engine.graph_double_from % engine.graph_batch != 0))
        conflicts.push_back(
            {{"serving.graph_double_from", "serving.graph_batch"},
             fmt::format("graph_double_from {} is not a multiple of graph_batch {}: graphs are "
                         "captured for its multiples up to there",
                         engine.graph_double_from, engine.graph_batch)});
    if (engine.host_cache.value() > 0.0 && !engine.prefix_cache)
        conflicts.push_back({{"serving.host_cache", "serving.prefix_cache"},
                             "host_cache: host memory keeps what the prefix cache forgets, and prefix_cache "
                             "is off"});
    if (engine.hold_steps > 0 && engine.scheduler != Scheduler::tensorrt)
        conflicts.push_back({{"serving.hold_steps", "serving.scheduler"},
                             "hold_steps: only scheduler tensorrt lets prompts wait for others"});
    if (engine.scheduling_policy == SchedulingPolicy::priority && engine.scheduler != Scheduler::vllm)
        conflicts.push_back({{"serving.scheduling_policy", "serving.scheduler"},
                             "scheduling_policy priority: only scheduler vllm orders requests by priority"});
    if (engine.least_replicas > 0 && engine.router != Router::least_loaded)
        conflicts.push_back({{"serving.least_replicas", "serving.router"},
                             "least_replicas: replicas start and stop only with router least_loaded"});
    if (engine.failure_interval.value() > 0.0 &&
        (engine.router != Router::least_loaded || engine.least_replicas > 0))
        conflicts.push_back({{"serving.failure_interval", "serving.router", "serving.least_replicas"},
                             "failure_interval: replicas fail only with router least_loaded, which sends "
                             "their requests to others, and with least_replicas 0"});
    if (engine.receive_every > 1 && engine.scheduler != Scheduler::sglang)
        conflicts.push_back({{"serving.receive_every", "serving.scheduler"},
                             "receive_every: only scheduler sglang checks for new requests at intervals"});
    return conflicts;
}

ServingConflicts conflicts_of(const ServingEngine& engine, const Traffic& traffic) {
    ServingConflicts conflicts;
    if (engine.scheduling_policy == SchedulingPolicy::priority && traffic.adapters > 0)
        conflicts.push_back({{"serving.scheduling_policy", "traffic.adapters"},
                             "scheduling_policy priority: the order of requests with adapters is first come, "
                             "first served (leave out adapters)"});
    if (engine.router == Router::session && has_prefixes(traffic) && !has_conversations(traffic))
        conflicts.push_back(
            {{"serving.router", "traffic.prefix", "traffic.classes"},
             "router session: drawn requests with a common prefix are no sessions (turns make "
             "conversations; router prefix sends requests to where their prefix is)"});
    return conflicts;
}

bool has_prefixes(const Traffic& traffic) {
    const auto has = [](const RequestPrefixes& some) { return some.prefix > 0; };
    return has(traffic) || std::ranges::any_of(traffic.classes, has);
}

bool has_conversations(const Traffic& traffic) {
    return traffic.continue_others() || std::ranges::any_of(traffic.classes, &RequestClass::continue_others);
}

bool gives_up(const Traffic& traffic) {
    const auto ends = [](const RequestPatience& some) { return some.ends(); };
    return ends(traffic) || std::ranges::any_of(traffic.classes, ends);
}

ServingConflicts conflicts_of(const ServiceLevels& levels, const Traffic& traffic) {
    if (levels.rate_within == 0.0) return {};
    ServingConflicts conflicts;
    if (traffic.clients > 0)
        conflicts.push_back({{"slo.rate_within", "traffic.clients"},
                             "rate_within: clients of a closed loop have no rate (leave it out)"});
    if (!states_levels(levels, traffic))
        conflicts.push_back(
            {{"slo.rate_within"},
             "rate_within: no level is stated that a rate could break (as in slo: {tpot_p99: 50 ms})"});
    return conflicts;
}

bool states_levels(const ServiceLevels& levels, const Traffic& traffic) {
    const auto states = [](const ServiceLevels& some) { return some.most != ServiceLevels{}.most; };
    return states(levels) || std::ranges::any_of(traffic.classes, states, &RequestClass::levels);
}

void require_none(const ServingConflicts& conflicts) {
    if (!conflicts.empty()) throw ModelError(conflicts.front().reason);
}

}  // namespace dse::graph
