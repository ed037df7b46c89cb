#include "study/serving_checks.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "dse/graph/serving_conflicts.hpp"
#include "study/axis_range.hpp"

namespace dse::study {
namespace {

/// Whether an axis, a derived value or a draw sets a field of the workload.
bool differs(const Sweep& sweep, std::string_view field) {
    const std::string path = fmt::format("workload.{}", field);
    if (is_varied(sweep, path)) return true;
    return sweep.uncertain && std::ranges::any_of(sweep.uncertain->fields, [&](const UncertainField& drawn) {
               return drawn.field.path == path;
           });
}

bool differs_in_levels(const Sweep& sweep) {
    for (const std::string_view latency : graph::latency_names) {
        for (const std::string_view statistic : graph::statistic_names) {
            if (differs(sweep, fmt::format("slo.{}_{}", latency, statistic))) return true;
        }
    }
    return false;
}

void warn(Draft& draft, std::string_view field, std::string reason) {
    warn_of_values(draft, fmt::format("workload.{}", field), std::move(reason));
}

void report(const graph::ServingConflicts& conflicts, Draft& draft) {
    for (const graph::ServingConflict& conflict : conflicts) {
        const auto varies = [&](std::string_view field) { return differs(draft.sweep, field); };
        if (std::ranges::any_of(conflict.fields, varies)) continue;
        const std::string path = fmt::format("workload.{}", conflict.fields.front());
        draft.diagnostics.error(place_of(draft.root, path), path, conflict.reason);
    }
}

/// Whether points may have two pools, whose limits are partly of their own.
bool may_have_pools(const Sweep& sweep) {
    const auto is_of_pools = [](const auto& value) { return value.info.path.starts_with("system.pools."); };
    return sweep.base.system.pools.exist() || std::ranges::any_of(sweep.space->axes(), is_of_pools) ||
           std::ranges::any_of(sweep.space->derived(), is_of_pools);
}

void check_heads(Draft& draft, const WorkloadFacts& facts) {
    const graph::WorkloadSpec& workload = draft.sweep.base.workload;
    if (workload.engine.speculative != graph::Speculation::mtp) return;
    if (differs(draft.sweep, "serving.speculative") || differs(draft.sweep, "model")) return;
    const auto known = std::ranges::find(facts.models, workload.model, &WorkloadFacts::Model::name);
    if (known == facts.models.end() || known->drafts) return;
    constexpr const char* field = "workload.serving.speculative";
    draft.diagnostics.error(
        place_of(draft.root, field), field,
        fmt::format("is mtp, but model '{}' has no heads that draft tokens (speculative: draft has a model "
                    "of its own; heads are stated by draft_heads of the model's file)",
                    workload.model));
}

/// Priorities need a scheduler that looks at them, which needs classes that differ.
void note_priorities(Draft& draft, const graph::Traffic& traffic) {
    if (differs(draft.sweep, "serving.scheduling_policy")) return;
    const bool orders =
        draft.sweep.base.workload.engine.scheduling_policy == graph::SchedulingPolicy::priority;
    const bool differ = std::ranges::any_of(traffic.classes, [&](const graph::RequestClass& one) {
        return one.priority != traffic.classes.front().priority;
    });
    if (orders && !differ)
        warn(draft, "serving.scheduling_policy",
             "is priority, but no classes of requests differ in priority");
    if (!orders && differ)
        warn(draft, "traffic.classes",
             "differ in priority, which has no effect with scheduling_policy fcfs (serving: "
             "{scheduling_policy: priority})");
}

/// How prefixes are used, without any.
void note_prefixes(Draft& draft, const graph::Traffic& traffic) {
    if (traffic.prefix > 0 || differs(draft.sweep, "traffic.prefix")) return;
    const graph::RequestPrefixes none;
    for (const auto& [field, is_stated] :
         {std::pair{"traffic.prefixes", traffic.prefixes != none.prefixes},
          {"traffic.prefix_share", traffic.prefix_share != none.prefix_share},
          {"traffic.prefix_skew", traffic.prefix_skew != none.prefix_skew}}) {
        if (is_stated || differs(draft.sweep, field))
            warn(draft, field, "has no effect: no prefix is stated (prefix: 512)");
    }
}

/// Whether any point's prompts may begin like others.
bool may_share(const Sweep& sweep, const graph::Traffic& traffic) {
    return !traffic.trace.empty() || differs(sweep, "traffic.trace") || graph::has_prefixes(traffic) ||
           differs(sweep, "traffic.prefix") || graph::has_conversations(traffic) ||
           differs(sweep, "traffic.turns");
}

/// How conversations go on, of which none does.
void note_turns(Draft& draft, const graph::Traffic& traffic) {
    const graph::RequestTurns none;
    for (const graph::RequestClass& one : traffic.classes) {
        if (!one.continue_others() && static_cast<const graph::RequestTurns&>(one) != none)
            warn(draft, "traffic.classes",
                 fmt::format("class '{}' states how conversations go on, which has no effect: its own have "
                             "one turn (turns: 4)",
                             one.name));
    }
    if (traffic.continue_others() || differs(draft.sweep, "traffic.turns")) return;
    for (const auto& [field, is_set] :
         {std::pair{"traffic.turn_gap", traffic.turn_gap != none.turn_gap},
          {"traffic.turns_spread", traffic.turns_spread != none.turns_spread},
          {"traffic.turn_gap_spread", traffic.turn_gap_spread != none.turn_gap_spread}}) {
        if (!is_set && !differs(draft.sweep, field)) continue;
        warn(draft, field,
             traffic.classes.empty() ? "has no effect: conversations have one turn (turns: 4)"
                                     : "has no effect: each class states its own");
    }
}

/// Runs that end before any conversation that begins in them goes on.
void note_short_run(Draft& draft, const graph::Traffic& traffic) {
    double gap = traffic.continue_others() ? traffic.turn_gap.value() : 0.0;
    for (const graph::RequestClass& one : traffic.classes)
        if (one.continue_others()) gap = std::max(gap, one.turn_gap.value());
    const auto requests = static_cast<double>(traffic.requests);
    const double rate = traffic.rate.value();
    for (const char* field : {"traffic.requests", "traffic.rate", "traffic.turn_gap"})
        if (differs(draft.sweep, field)) return;
    if (rate == 0.0 || requests >= rate * gap) return;
    warn(draft, "traffic.requests",
         fmt::format(
             "{} requests at {:g} 1/s end before a turn_gap of {:g} s does, so that caches find little "
             "of what conversations say (many more requests than {:.0f})",
             traffic.requests, rate, gap, rate * gap));
}

/// Memory for beginnings that no two prompts have in common, and how caches are copied that it does not keep.
void note_host_cache(Draft& draft, const graph::Traffic& traffic) {
    const Sweep& sweep = draft.sweep;
    const bool keeps =
        sweep.base.workload.engine.host_cache.value() > 0.0 || differs(sweep, "serving.host_cache");
    if (keeps && !may_share(sweep, traffic))
        warn(draft, "serving.host_cache",
             "has no effect: no two prompts have a beginning in common (turns: 4, or prefix: 512; those of a "
             "trace may)");
    if (!keeps && (is_stated(sweep, "workload.serving.host_load") || differs(sweep, "serving.host_load")))
        warn(draft, "serving.host_load", "has no effect: no host memory keeps caches (host_cache: 64 GiB)");
}

/// Conditions on latencies, which are those of answered requests, where clients give up.
void note_lost(Draft& draft, const graph::Traffic& traffic) {
    const config::Node* where = draft.root.find("where");
    const bool ends = graph::gives_up(traffic) || differs(draft.sweep, "traffic.first_token_timeout") ||
                      differs(draft.sweep, "traffic.timeout");
    if (!ends || where == nullptr || !where->is_sequence()) return;
    const auto names = [](const config::Node& condition, std::string_view metric) {
        return condition.is_scalar() && condition.text().find(metric) != std::string::npos;
    };
    const config::Node* latency = nullptr;
    for (const config::Node& condition : where->items()) {
        for (const std::string_view metric : {"requests_lost", "slo_attainment", "goodput"})
            if (names(condition, metric)) return;
        if (latency == nullptr && names(condition, "slo_worst")) latency = &condition;
    }
    if (latency == nullptr) return;
    draft.diagnostics.warning(latency->location(), latency->path(),
                              "slo_worst is that of answered requests, also where most clients give up (add "
                              "requests_lost == 0, or slo_attainment >= 0.99)");
}

/// A cache of prefixes that drawn prompts do not have.
void note_prefix_cache(Draft& draft, const graph::Traffic& traffic) {
    const Sweep& sweep = draft.sweep;
    // Requests that vLLM preempts find their pages again.
    const bool may_help =
        sweep.base.workload.engine.scheduler == graph::Scheduler::vllm || differs(sweep, "serving.scheduler");
    if (is_stated(sweep, "workload.serving.prefix_cache") && !may_help &&
        sweep.base.workload.engine.prefix_cache && !differs(sweep, "serving.prefix_cache") &&
        !may_share(sweep, traffic))
        warn(draft, "serving.prefix_cache",
             "has no effect: prompts that are drawn have no prefixes in common unless traffic says so "
             "(prefix: 512; those of a trace may)");
}

void note_idle_clients(Draft& draft, const graph::Traffic& traffic) {
    const auto clients =
        static_cast<std::int64_t>(largest(draft.sweep, "workload.traffic.clients", traffic.clients));
    if (clients <= traffic.requests || differs(draft.sweep, "traffic.requests")) return;
    warn(draft, "traffic.clients",
         fmt::format("of {} clients {} never send a request: traffic.requests is {}", clients,
                     clients - traffic.requests, traffic.requests));
}

/// What is stated, and has no effect.
void note_idle(Draft& draft) {
    const graph::Traffic& traffic = draft.sweep.base.workload.traffic;
    note_priorities(draft, traffic);
    note_prefixes(draft, traffic);
    note_turns(draft, traffic);
    note_short_run(draft, traffic);
    note_host_cache(draft, traffic);
    note_lost(draft, traffic);
    if (!traffic.trace.empty() || differs(draft.sweep, "traffic.trace")) return;
    note_prefix_cache(draft, traffic);
    note_idle_clients(draft, traffic);
}

}  // namespace

void check_serving(Draft& draft, const WorkloadFacts& facts) {
    const Sweep& sweep = draft.sweep;
    if (!draft.diagnostics.ok() || !sweep.has_scenario || !sweep.space || sweep.space->exec()) return;
    const graph::WorkloadSpec& workload = sweep.base.workload;
    if (workload.mode != graph::Mode::serving || differs(sweep, "mode")) return;
    graph::ServingEngine engine = workload.engine;
    if (may_have_pools(sweep)) engine.max_sequences = std::min(engine.max_sequences, engine.token_budget);
    report(graph::conflicts_of(workload.traffic), draft);
    report(graph::conflicts_of(engine), draft);
    report(graph::conflicts_of(engine, workload.traffic), draft);
    if (!differs_in_levels(sweep)) report(graph::conflicts_of(workload.levels, workload.traffic), draft);
    check_heads(draft, facts);
    if (draft.diagnostics.ok()) note_idle(draft);
}

}  // namespace dse::study
