#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

#include "dse/dist/farm.hpp"

namespace dse::dist {

/// Counts the completed work and computes the rate over the last half minute.
class ProgressMeter {
  public:
    using Clock = std::chrono::steady_clock;

    ProgressMeter(std::uint64_t total, std::uint64_t covered);

    void add(const Tally& tally) { tally_ += tally; }

    /// Samples the current count.
    void sample();

    [[nodiscard]] Progress now() const;

  private:
    struct Sample {
        Clock::time_point time;
        std::uint64_t indices;
    };

    std::uint64_t total_;
    std::uint64_t covered_;
    Tally tally_;
    Clock::time_point begin_{Clock::now()};
    std::deque<Sample> samples_{{begin_, 0}};
};

}  // namespace dse::dist
