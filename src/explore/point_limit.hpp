#pragma once

#include <cstdint>

#include "dse/results/interval_set.hpp"
#include "dse/space/sampler.hpp"

namespace dse::explore {

/// `covered`, extended by all indices that must be skipped so that at most `limit` points are evaluated: the
/// first ones that are not covered.
results::IntervalSet limited(const space::Sampler& sampler, const results::IntervalSet& covered,
                             std::uint64_t limit);

}  // namespace dse::explore
