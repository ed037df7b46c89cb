#pragma once

#include "dse/metrics/metrics.hpp"
#include "dse/model/carbon.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// What some time of a whole job draws, costs and emits.
struct Expenses {
    Seconds duration;
    Joules energy;
    Dollars cost;
    model::Carbon carbon;
};

Expenses expenses_of(const hardware::SystemSpec& system, Seconds duration, Joules energy);

/// Those of an iteration.
void add_iteration(const Expenses& iteration, metrics::Metrics& metrics);

/// Power and what a token comes to. \param tokens  of that time; NaN where there are none
void add_per_token(const Expenses& expenses, double tokens, metrics::Metrics& metrics);

}  // namespace dse::eval
