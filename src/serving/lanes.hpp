#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/serving/replica.hpp"
#include "serving/rank_group.hpp"

namespace dse::serving {

/// What one of the batches that pass a pipeline at the same time has of a replica's limits: an equal share of
/// the cache and of the running requests. Each batch has the full token budget.
ReplicaLimits lane_limits(ReplicaLimits limits, std::int64_t stages);

/// Runs all steps of groups that share a pipeline and start before `time`, in the order of their starts; of
/// several at the same time, that of the first group.
void advance_together(std::span<RankGroup> all, std::size_t first, std::size_t stride, Ticks time);

}  // namespace dse::serving
