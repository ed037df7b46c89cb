#pragma once

#include <cstdint>

#include "dse/results/result_schema.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// Schema of a sweep's results file: a column for every axis and derived value, in the order of a point's
/// values, a column for every metric that its rows can have, and the identity of the sweep.
/// \param ids  number of ids of its sampler
results::ResultSchema result_schema(const Sweep& sweep, std::uint64_t ids);

}  // namespace dse::study
