#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/location.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// How much a count may cost.
struct CountLimits {
    std::uint64_t visits{
        10'000'000};  ///< partial points looked at for each group of axes before it is estimated
    std::uint64_t samples{200'000};  ///< draws of an estimate
};

/// What one derived value or requirement drops of what those before it have left.
struct StepCount {
    std::string text;
    config::Location where;
    Step::Kind kind{Step::Kind::require};
    Cardinality dropped;
};

/// How many points a space has, and what drops the others.
struct SpaceCount {
    enum class Method { exact, estimated };

    Cardinality grid;              ///< the full grid; a continuous axis counts once
    std::vector<StepCount> steps;  ///< in the order of Space::steps
    Cardinality remaining;         ///< points in the space
    Method method{Method::exact};
    /// Of `remaining`, when estimated; where no draw was in the space: an upper bound at 95 % (rule of
    /// three).
    double standard_error{0.0};
};

/// Counts without listing the whole grid: axes that no step connects are independent, so each group of
/// connected axes is counted by itself, with early cuts, and the counts multiply. A group that is too large,
/// or has a continuous axis, is estimated from draws that depend on the sweep's seed only. Takes about a
/// second at most.
SpaceCount count(const Space& space, const CountLimits& limits = {});

}  // namespace dse::space
