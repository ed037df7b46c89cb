#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/space/space.hpp"
#include "dse/space/space_count.hpp"

namespace dse::space {

/// Axes that steps connect, directly or through each other, and those steps. Groups are independent of each
/// other: a point is in the space when each group's part of it passes the group's steps.
struct AxisGroup {
    std::vector<std::size_t> axes;   ///< ascending
    std::vector<std::size_t> steps;  ///< indices into Space::steps, in their order
};

/// All groups; an axis that no step uses is a group without steps. Steps that depend on no axis are in no
/// group.
std::vector<AxisGroup> group_axes(const Space& space);

/// What the steps of a group drop, as shares of the group's points.
struct GroupCount {
    bool exact{true};
    /// Failures of each step of the group, in order. One failure stands for all values of the group's axes
    /// that were not fixed yet (exact), or for one draw (estimated).
    std::vector<std::uint64_t> failures;
    std::uint64_t draws{0};  ///< estimated: number of draws
};

/// \param values  shape (space.width(),), with all derived values that depend on no axis
GroupCount count_group(const Space& space, const AxisGroup& group, std::vector<double> values,
                       const CountLimits& limits);

}  // namespace dse::space
