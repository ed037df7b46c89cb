#pragma once

#include <vector>

#include "dse/serving/recorder.hpp"

namespace dse::eval {

/// The values of graph::class_columns, in the same order; NaN where a class has none.
/// \param states_levels  whether any level is stated: without one, no request keeps or misses any
std::vector<double> class_values(const serving::Outcome& outcome, bool states_levels);

}  // namespace dse::eval
