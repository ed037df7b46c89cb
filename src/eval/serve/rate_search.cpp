#include "eval/serve/rate_search.hpp"

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

/// Largest multiple of the stated rate; beyond that, the levels or the traffic are not meaningful.
constexpr double most_times = 4096.0;

bool holds(const serving::Outcome& outcome) {
    return outcome.refused == 0 && outcome.worst_level <= 1.0;
}

void require_rate_and_levels(const graph::WorkloadSpec& workload) {
    if (workload.traffic.clients > 0)
        throw ModelError("rate_within: clients of a closed loop have no rate (leave it out)");
    if (workload.levels.most == graph::ServiceLevels{}.most)
        throw ModelError("rate_within: no level is stated that a rate could break");
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

void add_highest_rate(const graph::WorkloadSpec& workload, const serving::Outcome& outcome,
                      const std::function<serving::Outcome(double)>& serve_at, metrics::Metrics& metrics) {
    const double within = workload.levels.rate_within;
    if (within == 0.0) return;
    require_rate_and_levels(workload);
    const auto holds_at = [&](double times) { return holds(serve_at(times)); };
    Bracket bracket = bracket_of(holds(outcome), holds_at);
    while (bracket.holds > 0.0 && bracket.breaks > (1.0 + within) * bracket.holds) {
        const double middle = 0.5 * (bracket.holds + bracket.breaks);
        (holds_at(middle) ? bracket.holds : bracket.breaks) = middle;
    }
    // The measured rate of requests, because a trace does not state one.
    const double sent = static_cast<double>(outcome.answered + outcome.refused) / outcome.sent_for;
    metrics.max_request_rate = bracket.holds * sent;
    if (bracket.breaks > 0.0) metrics.max_request_rate_high = bracket.breaks * sent;
}

}  // namespace dse::eval
