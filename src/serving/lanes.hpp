#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dse/serving/replica.hpp"

namespace dse::serving {

/// What one of the batches that pass a pipeline at the same time has of a replica's limits: an equal share of
/// the cache and of the running requests. Each batch has the full token budget.
ReplicaLimits lane_limits(ReplicaLimits limits, std::int64_t stages);

/// Runs all steps of schedulers that share a pipeline and start before `time`, in the order of their starts;
/// of several at the same time, that of the first scheduler.
void advance_together(std::span<const std::unique_ptr<Replica>> all, std::size_t first, std::size_t stride,
                      Ticks time);

}  // namespace dse::serving
