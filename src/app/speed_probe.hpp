#pragma once

#include <cstdint>

#include "dse/study/sweep.hpp"

namespace dse::app {

/// How fast this machine evaluates points of a sweep on one core.
struct SpeedProbe {
    std::uint64_t points{0};
    std::uint64_t feasible{0};
    double seconds{0};

    [[nodiscard]] double rate() const { return static_cast<double>(points) / seconds; }
    [[nodiscard]] double feasible_share() const {
        return static_cast<double>(feasible) / static_cast<double>(points);
    }
};

/// Evaluates runs of adjacent points from random places of the space, as workers do, for about half a second.
/// The result has zero points if none were found in that time.
SpeedProbe probe_speed(const study::Sweep& sweep);

}  // namespace dse::app
