#include "eval/serve/rate_search.hpp"

#include <utility>

#include "dse/base/error.hpp"
#include "dse/graph/serving_conflicts.hpp"

namespace dse::eval {
namespace {

/// Largest multiple of the stated rate; beyond that, the levels or the traffic are not meaningful.
constexpr double most_times = 4096.0;

bool holds(const serving::Outcome& outcome) {
    return outcome.refused == 0 && outcome.gave_up == 0 && outcome.worst_level <= 1.0;
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
    // The last outcome that holds is that at the highest such rate: the search never returns below it.
    std::optional<serving::Outcome> best;
    const auto keep_if_holds = [&](serving::Outcome other) {
        if (!holds(other)) return false;
        best = std::move(other);
        return true;
    };
    const auto holds_at = [&](double times) { return keep_if_holds(serve_at(times)); };
    Bracket bracket = bracket_of(keep_if_holds(outcome), holds_at);
    while (bracket.holds > 0.0 && bracket.breaks > (1.0 + within) * bracket.holds) {
        const double middle = 0.5 * (bracket.holds + bracket.breaks);
        (holds_at(middle) ? bracket.holds : bracket.breaks) = middle;
    }
    // The measured rate of requests, because a trace does not state one.
    const auto requests = outcome.answered + outcome.refused + outcome.lost;
    const double sent = static_cast<double>(requests) / outcome.sent_for;
    metrics.max_request_rate = bracket.holds * sent;
    if (bracket.breaks > 0.0) metrics.max_request_rate_high = bracket.breaks * sent;
    return best;
}

}  // namespace dse::eval
