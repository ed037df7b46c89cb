#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/space/space.hpp"
#include "dse/space/space_count.hpp"

namespace dse::space {

/// A connected component of axes, where a step connects the axes that it depends on, and its steps. Groups
/// are independent of each other: a point is in the space if each group's part of it passes the group's
/// steps.
struct AxisGroup {
    std::vector<std::size_t> axes;   ///< ascending
    std::vector<std::size_t> steps;  ///< indices into Space::steps, in their order
};

/// All groups; an axis that no step uses is a group without steps. Steps that depend on no axis are in no
/// group.
std::vector<AxisGroup> group_axes(const Space& space);

/// Points of a group that its steps drop.
struct GroupCount {
    bool exact{true};
    /// Number of failures per step of the group, in order. A failure is a combination of the axes fixed so
    /// far (exact), or one draw (estimated).
    std::vector<std::uint64_t> failures;
    std::uint64_t draws{0};  ///< estimated: number of draws
};

/// \param values  shape (space.width(),), with all derived values that depend on no axis
GroupCount count_group(const Space& space, const AxisGroup& group, std::vector<double> values,
                       const CountLimits& limits);

}  // namespace dse::space
