#include "dse/eval/advice/own_step.hpp"

#include <algorithm>

#include "dse/base/error.hpp"
#include "dse/eval/evaluator.hpp"

namespace dse::eval {
namespace {

constexpr const char* fitted_field = "system.cluster.device.matmul.in_training";

/// The point was measured, so it is simulated even if it is predicted not to fit into memory.
metrics::Metrics played_metrics(const study::Sweep& sweep, const space::Point& point) {
    Evaluator evaluator{sweep};
    const Explanation explanation = evaluator.explain(point);
    if (!(explanation.result.iteration_time > 0.0)) throw ModelError(explanation.record.reason);
    metrics::Metrics metrics = explanation.record.metrics;
    metrics.iteration_time = explanation.result.iteration_time;
    return metrics;
}

double& rate_of(study::Sweep& sweep) {
    return sweep.base.system.cluster.device.matmul.in_training;
}

double time_at(study::Sweep& sweep, const space::Point& point, double rate) {
    rate_of(sweep) = rate;
    return played_metrics(sweep, point).iteration_time;
}

/// Bisects for the rate, relying on times that decrease with it.
double rate_for(study::Sweep& sweep, const space::Point& point, double measured, double slow, double fast) {
    if (time_at(sweep, point, slow) <= measured) return slow;
    if (time_at(sweep, point, fast) >= measured) return fast;
    constexpr int halvings = 24;
    for (int i = 0; i < halvings; ++i) {
        const double middle = 0.5 * (slow + fast);
        (time_at(sweep, point, middle) > measured ? slow : fast) = middle;
    }
    return 0.5 * (slow + fast);
}

}  // namespace

OwnStep fit_own_step(study::Sweep& sweep, const space::Point& point, double measured) {
    const metrics::Metrics before = played_metrics(sweep, point);
    OwnStep step{before.iteration_time, before.iteration_time_low, before.iteration_time_high,
                 rate_of(sweep)};
    if (std::ranges::find(sweep.stated, fitted_field) == sweep.stated.end())
        sweep.stated.emplace_back(fitted_field);
    const double slow = 0.5 * step.rate_before;
    const double fast = std::max(step.rate_before, std::min(1.0, 1.5 * step.rate_before));
    step.rate = rate_for(sweep, point, measured, slow, fast);
    const double fitted = time_at(sweep, point, step.rate);
    if (fitted == step.predicted) step.rate = rate_of(sweep) = step.rate_before;  // it has no effect here
    step.rest = measured / fitted;
    step.share_of_peak = before.mfu * step.predicted / measured;
    return step;
}

}  // namespace dse::eval
