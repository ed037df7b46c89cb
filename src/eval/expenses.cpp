#include "eval/expenses.hpp"

#include <cmath>

#include "dse/base/error.hpp"
#include "dse/model/cost.hpp"

namespace dse::eval {

model::Activity mean_activity(const study::Scenario& scenario, const graph::Graph& graph,
                              const graph::Totals& total, Seconds time) {
    const auto ranks = static_cast<double>(graph.mesh.ranks());
    model::Activity activity;
    activity.duration = time;
    activity.flop = total.executed_flop / ranks;
    activity.memory = total.memory_traffic / ranks;
    activity.sent = total.sent / ranks;
    activity.precision = scenario.workload.stack.precision;
    return activity;
}

Expenses expenses_of(const hardware::SystemSpec& system, Seconds duration, Joules energy) {
    const Expenses expenses{duration, energy, model::cost(system, duration, energy),
                            model::carbon(system, duration, energy)};
    for (const double each : {energy.value(), expenses.cost.value(), expenses.carbon.all().value()})
        if (std::isinf(each))
            throw ModelError(
                "energy, cost or carbon is infinite: a power, a price, an intensity or the facility's pue is "
                "too large");
    return expenses;
}

void add_iteration(const Expenses& iteration, metrics::Metrics& metrics) {
    metrics.energy = iteration.energy.value();
    metrics.cost = iteration.cost.value();
    metrics.carbon = iteration.carbon.all().value();
}

void add_per_token(const Expenses& expenses, double tokens, metrics::Metrics& metrics) {
    constexpr double million = 1e6;
    const Watts power = expenses.energy / expenses.duration;
    metrics.power = power.value();
    // The share is unknown if the emissions of manufacturing are not stated.
    if (expenses.carbon.making > Grams{})
        metrics.embodied_share = expenses.carbon.making / expenses.carbon.all();
    // Nobody may have been answered at the stated rate.
    if (tokens == 0.0) tokens = metrics::not_a_number;
    metrics.joules_per_token = expenses.energy.value() / tokens;
    metrics.usd_per_mtoken = expenses.cost.value() / tokens * million;
    metrics.gco2e_per_mtoken = expenses.carbon.all().value() / tokens * million;
    metrics.tokens_per_second_per_megawatt = tokens / expenses.duration.value() / (power.value() / million);
}

}  // namespace dse::eval
