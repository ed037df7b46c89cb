#pragma once

#include "dse/serving/pool_use.hpp"
#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// Sums up the steps of the workers of one pool.
class PoolMeter {
  public:
    /// A step of one worker.
    /// \param waiting    requests that wait at this worker meanwhile
    /// \param cache_use  fraction of this worker's pages in use
    void spent(Ticks duration, std::int64_t waiting, double cache_use);

    /// \param seconds  duration of the run, > 0
    /// \param workers  number of workers of the pool, >= 1
    [[nodiscard]] PoolUse use(double seconds, std::int64_t workers) const;

  private:
    // Integrals over time, in s.
    double stepping_{0};
    double waiting_{0};
    double cache_use_{0};
    std::int64_t most_waiting_{0};
    double most_cache_use_{0};
};

}  // namespace dse::serving
