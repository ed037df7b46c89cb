#include "space/axis_group.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "dse/base/seed.hpp"
#include "space/draw.hpp"

namespace dse::space {

namespace {

/// Disjoint sets of axes.
class AxisSets {
  public:
    explicit AxisSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }

    std::size_t root(std::size_t axis) {
        while (parent_[axis] != axis) axis = parent_[axis] = parent_[parent_[axis]];
        return axis;
    }
    /// The smaller axis becomes the root, so that groups are in declared order.
    void join(std::size_t a, std::size_t b) {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

  private:
    std::vector<std::size_t> parent_;
};

/// Enumerates a group's part of the grid and prunes early.
class GroupWalk {
  public:
    GroupWalk(const Space& space, const AxisGroup& group, std::vector<double> values, std::uint64_t visits)
        : space_{space},
          group_{group},
          values_{std::move(values)},
          visits_left_{visits},
          failures_(group.steps.size()) {
        // first_[level]: the first step that needs more than the first `level` axes of the group.
        for (const std::size_t axis : group.axes) {
            const auto later = [&](std::size_t step) { return space.steps()[step].depth > axis; };
            const auto first = std::find_if(group.steps.begin(), group.steps.end(), later);
            first_.push_back(static_cast<std::size_t>(first - group.steps.begin()));
        }
        first_.push_back(group.steps.size());
    }

    /// \returns failures per step; nothing if the limit of visits is exceeded
    std::optional<std::vector<std::uint64_t>> run() {
        if (!walk(0)) return std::nullopt;
        return std::move(failures_);
    }

  private:
    bool walk(std::size_t level) {
        if (first_[level] == group_.steps.size()) return true;  // no step is left that could drop a point
        const AxisValues& axis = space_.axes()[group_.axes[level]].values;
        for (std::uint64_t i = 0; i < axis.count(); ++i) {
            if (visits_left_-- == 0) return false;
            values_[group_.axes[level]] = axis[i];
            if (passes(level) && !walk(level + 1)) return false;
        }
        return true;
    }

    bool passes(std::size_t level) {
        for (std::size_t i = first_[level]; i < first_[level + 1]; ++i) {
            if (!space_.perform(space_.steps()[group_.steps[i]], values_)) {
                ++failures_[i];
                return false;
            }
        }
        return true;
    }

    const Space& space_;
    const AxisGroup& group_;
    std::vector<double> values_;
    std::uint64_t visits_left_;
    std::vector<std::uint64_t> failures_;
    std::vector<std::size_t> first_;
};

GroupCount estimate(const Space& space, const AxisGroup& group, std::vector<double> values,
                    std::uint64_t draws) {
    GroupCount count{false, std::vector<std::uint64_t>(group.steps.size()), draws};
    const auto seed = static_cast<std::uint64_t>(space.search().seed);
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        const std::uint64_t own = seed_of(seed, draw);
        for (const std::size_t axis : group.axes)
            values[axis] = value_at(space.axes()[axis], unit_of(seed_of(own, axis)));
        for (std::size_t i = 0; i < group.steps.size(); ++i) {
            if (space.perform(space.steps()[group.steps[i]], values)) continue;
            ++count.failures[i];
            break;
        }
    }
    return count;
}

}  // namespace

std::vector<AxisGroup> group_axes(const Space& space) {
    AxisSets sets(space.axes().size());
    for (const Step& step : space.steps()) {
        for (const std::size_t axis : step.axes) sets.join(step.axes.front(), axis);
    }
    std::vector<AxisGroup> groups;
    std::vector<std::size_t> group_of(space.axes().size());
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis) {
        const std::size_t root = sets.root(axis);
        if (root == axis) {
            group_of[axis] = groups.size();
            groups.emplace_back();
        }
        groups[group_of[root]].axes.push_back(axis);
    }
    for (std::size_t i = 0; i < space.steps().size(); ++i) {
        const Step& step = space.steps()[i];
        if (!step.axes.empty()) groups[group_of[sets.root(step.axes.front())]].steps.push_back(i);
    }
    return groups;
}

GroupCount count_group(const Space& space, const AxisGroup& group, std::vector<double> values,
                       const CountLimits& limits) {
    const bool discrete = std::none_of(group.axes.begin(), group.axes.end(), [&](std::size_t axis) {
        return space.axes()[axis].continuum.has_value();
    });
    if (discrete) {
        if (auto failures = GroupWalk(space, group, values, limits.visits).run())
            return {true, std::move(*failures), 0};
    } else if (group.steps.empty()) {
        return {true, {}, 0};
    }
    return estimate(space, group, std::move(values), limits.samples);
}

}  // namespace dse::space
