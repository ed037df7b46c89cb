#pragma once

#include <cstdint>

namespace dse::serving {

/// How busy one of two pools was. Means are over the duration of the run.
struct PoolUse {
    double utilization{0};         ///< fraction of the time in which a worker steps, mean over the workers
    double waiting{0};             ///< requests that wait, sum over the workers
    std::int64_t most_waiting{0};  ///< at one worker
    double cache_use{0};           ///< fraction of the pages, mean over the workers
    double most_cache_use{0};      ///< at one worker
};

}  // namespace dse::serving
