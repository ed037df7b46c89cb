#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dse/serving/gap_histogram.hpp"
#include "dse/serving/percentiles.hpp"

namespace dse::serving {

/// Latencies of requests. Of up to `most_exact` their statistics are exact; of more they are counted, so that
/// memory stays the same: the mean is exact, and percentiles are right to 0.2 %, as GapHistogram's.
class LatencySample {
  public:
    static constexpr std::size_t most_exact = std::size_t{1} << 20U;

    void reserve(std::size_t count) { values_.reserve(count < most_exact ? count : most_exact); }
    /// \param seconds  >= 0
    void add(double seconds);

    /// Reorders what is kept.
    [[nodiscard]] Statistics statistics();

  private:
    void count_all();

    std::vector<double> values_;
    std::optional<GapHistogram> counted_;  ///< in the place of values_
};

}  // namespace dse::serving
