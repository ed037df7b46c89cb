#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/location.hpp"
#include "dse/space/space.hpp"

namespace dse::space {

/// Limits on the effort of counting.
struct CountLimits {
    std::uint64_t visits{
        10'000'000};  ///< partial points visited for each group of axes before it is estimated instead
    std::uint64_t samples{200'000};  ///< number of draws of an estimate
};

/// Number of points that one derived value or requirement drops of those left by the steps before it.
struct StepCount {
    std::string text;
    config::Location where;
    Step::Kind kind{Step::Kind::require};
    Cardinality dropped;
};

/// Number of points of a space, and the steps that drop the others.
struct SpaceCount {
    enum class Method { exact, estimated };

    Cardinality grid;              ///< the full grid; a continuous axis counts as one value
    std::vector<StepCount> steps;  ///< in the order of Space::steps
    Cardinality remaining;         ///< points in the space
    Method method{Method::exact};
    /// Standard error of `remaining` if it is estimated. If no draw was in the space: an upper bound at 95 %
    /// (rule of three).
    double standard_error{0.0};
};

/// Counts without enumerating the whole grid: axes that no step connects are independent, so that each group
/// of connected axes is counted separately, with early pruning, and the counts are multiplied. A group that
/// is too large, or has a continuous axis, is estimated from draws that depend on the sweep's seed only.
/// Takes at most about a second.
SpaceCount count(const Space& space, const CountLimits& limits = {});

}  // namespace dse::space
