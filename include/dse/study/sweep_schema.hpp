#pragma once

#include <cstdint>

#include "dse/results/result_schema.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// What a results file of a sweep holds: a column for every axis and derived value, in the order of a point's
/// values, for every metric that its rows can have, and what makes the sweep this sweep.
/// \param ids  of its sampler
results::ResultSchema result_schema(const Sweep& sweep, std::uint64_t ids);

}  // namespace dse::study
