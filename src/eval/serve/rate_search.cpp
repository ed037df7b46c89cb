#include "eval/serve/rate_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dse/base/error.hpp"
#include "dse/graph/serving_conflicts.hpp"

namespace dse::eval {
namespace {

/// Largest multiple of the stated rate; beyond that, the levels or the traffic are not meaningful.
constexpr double most_times = 4096.0;

/// The queue of a server that is overloaded by a factor f grows by 1 - 1 / f seconds a second, so that a run
/// of n times the wait that a level allows takes a factor of n / (n - 1) for one that holds. Highest rates of
/// qwen3_8b on 8 and 32 B200s and H100s (first token within 2 s, 500 to 64,000 requests): 33 levels 4 %
/// above those of the longest runs, 15 levels 9 %, 7 levels 18 %, 3 levels half; less than one, four to sixty
/// times as high.
constexpr double least_waits = 10.0;

bool holds(const serving::Outcome& outcome) {
    return outcome.refused == 0 && outcome.gave_up == 0 && outcome.worst_level <= 1.0;
}

/// The shortest time, in seconds, after which a wait breaks a level or makes a client give up; infinite if
/// none does. Times per token say nothing of a wait.
double shortest_wait(const graph::WorkloadSpec& workload) {
    double least = std::numeric_limits<double>::infinity();
    const auto look_at = [&](Seconds limit) {
        if (limit.value() > 0.0) least = std::min(least, limit.value());
    };
    const auto look_at_all = [&](const graph::ServiceLevels& levels, const graph::RequestPatience& patience) {
        for (std::size_t latency = 0; latency < graph::latency_names.size(); ++latency) {
            if (graph::latency_names[latency] == "ttft" || graph::latency_names[latency] == "e2e")
                std::ranges::for_each(levels.most[latency], look_at);
        }
        look_at(patience.first_token_timeout);
        look_at(patience.timeout);
    };
    look_at_all(workload.levels, workload.traffic);
    for (const graph::RequestClass& one : workload.traffic.classes) look_at_all(one.levels, one);
    return least;
}

/// Multiples of the rate at which the levels hold and do not hold; 0 if none was found.
struct Bracket {
    double holds{0};
    double breaks{0};
};

Bracket bracket_of(bool holds_at_one, const std::function<bool(double)>& holds_at) {
    double at = 1.0;
    if (holds_at_one) {
        do at *= 2.0;
        while (at <= most_times && holds_at(at));
        return {at / 2.0, at <= most_times ? at : 0.0};
    }
    do at /= 2.0;
    while (at >= 1.0 / most_times && !holds_at(at));
    return {at >= 1.0 / most_times ? at : 0.0, at * 2.0};
}

}  // namespace

std::optional<serving::Outcome> add_highest_rate(const graph::WorkloadSpec& workload,
                                                 const serving::Outcome& outcome,
                                                 const std::function<serving::Outcome(double)>& serve_at,
                                                 metrics::Metrics& metrics) {
    const double within = workload.levels.rate_within;
    if (within == 0.0) return std::nullopt;
    graph::require_none(graph::conflicts_of(workload.levels, workload.traffic));
    if (!(outcome.sent_for > 0.0)) {
        throw ModelError(
            "rate_within: all requests arrive at once, which is no rate (simulate more of them, or leave "
            "it out)");
    }
    const double least_time = least_waits * shortest_wait(workload);
    const bool has_waits = std::isfinite(least_time);
    // The last outcome that holds is that at the highest such rate: the search never returns below it.
    std::optional<serving::Outcome> best;
    double untold = std::numeric_limits<double>::infinity();  // the lowest multiple that only seems to hold
    const auto keep_if_holds = [&](double times, serving::Outcome other) {
        if (!holds(other)) return false;
        if (has_waits && other.sent_for < least_time) {
            untold = std::min(untold, times);
            return false;
        }
        best = std::move(other);
        return true;
    };
    const auto holds_at = [&](double times) { return keep_if_holds(times, serve_at(times)); };
    Bracket bracket = bracket_of(keep_if_holds(1.0, outcome), holds_at);
    while (bracket.holds > 0.0 && bracket.breaks > (1.0 + within) * bracket.holds) {
        const double middle = 0.5 * (bracket.holds + bracket.breaks);
        if (middle <= bracket.holds || middle >= bracket.breaks) break;  // no number is between them
        (holds_at(middle) ? bracket.holds : bracket.breaks) = middle;
    }
    const bool is_known = bracket.breaks < untold;
    if (bracket.holds == 0.0 && !is_known)
        throw ModelError(
            "rate_within: even at a 4,096th of the rate, all requests arrive within ten times what a level "
            "allows, in which no queue grows (simulate more of them)");
    // The measured rate of requests, because a trace does not state one.
    const auto requests = outcome.answered + outcome.refused + outcome.lost;
    const double sent = static_cast<double>(requests) / outcome.sent_for;
    metrics.max_request_rate = bracket.holds * sent;
    if (bracket.breaks > 0.0 && is_known) metrics.max_request_rate_high = bracket.breaks * sent;
    return best;
}

}  // namespace dse::eval
