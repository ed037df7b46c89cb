#pragma once

#include "dse/graph/totals.hpp"
#include "dse/metrics/metrics.hpp"
#include "dse/model/carbon.hpp"
#include "dse/model/energy.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What the mean device of a job does in an iteration that takes `time`: what its energy is counted from, and
/// what proofs bound.
model::Activity mean_activity(const study::Scenario& scenario, const graph::Graph& graph,
                              const graph::Totals& total, Seconds time);

/// Energy, cost and emissions of a whole job over some time.
struct Expenses {
    Seconds duration;
    Joules energy;
    Dollars cost;
    model::Carbon carbon;
};

/// \throws ModelError if energy, cost or carbon is infinite
Expenses expenses_of(const hardware::SystemSpec& system, Seconds duration, Joules energy);

/// Adds the expenses of an iteration.
void add_iteration(const Expenses& iteration, metrics::Metrics& metrics);

/// Adds power and the expenses per token. \param tokens  number of tokens in that time; NaN if there are none
void add_per_token(const Expenses& expenses, double tokens, metrics::Metrics& metrics);

}  // namespace dse::eval
