#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dse/serving/gap_histogram.hpp"
#include "dse/serving/percentiles.hpp"

namespace dse::serving {

/// Sample of request latencies. Up to `most_exact` values its statistics are exact. Beyond that they are
/// counted in a GapHistogram to bound memory: the mean stays exact and percentiles are accurate to 0.2 %.
class LatencySample {
  public:
    static constexpr std::size_t most_exact = std::size_t{1} << 20U;

    void reserve(std::size_t count) { values_.reserve(count < most_exact ? count : most_exact); }
    /// \param seconds  >= 0
    void add(double seconds);

    /// Reorders the stored values.
    [[nodiscard]] Statistics statistics();

  private:
    void count_all();

    std::vector<double> values_;
    std::optional<GapHistogram> counted_;  ///< replaces values_ once there are too many
};

}  // namespace dse::serving
