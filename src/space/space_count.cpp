#include "dse/space/space_count.hpp"

#include <cmath>
#include <limits>

#include <boost/multiprecision/cpp_int.hpp>

#include "space/axis_group.hpp"

namespace dse::space {

namespace {

using Integer = boost::multiprecision::cpp_int;

Cardinality cardinality(const Integer& value) {
    Cardinality result;
    result.approximate = value.convert_to<double>();
    if (value <= std::numeric_limits<std::uint64_t>::max()) result.exact = value.convert_to<std::uint64_t>();
    return result;
}

/// Number of points over a group's axes from number `level` on.
Integer points_from(const Space& space, const AxisGroup& group, std::size_t level) {
    Integer result = 1;
    for (; level < group.axes.size(); ++level) {
        const Axis& axis = space.axes()[group.axes[level]];
        if (!axis.continuum) result *= axis.values.count();
    }
    return result;
}

/// A group with the number of its points that the steps so far have left, exact and, for estimates, rounded.
struct Tally {
    AxisGroup group;
    GroupCount count;
    Integer left;
    double left_rounded{0.0};
    std::size_t next_step{0};
};

class Counter {
  public:
    Counter(const Space& space, const CountLimits& limits) : space_{space}, values_(space.width()) {
        for (const Step& step : space.steps_at(0)) {
            possible_.push_back(possible() && space.perform(step, values_));
        }
        for (AxisGroup& group : group_axes(space)) {
            Tally tally;
            tally.left = points_from(space, group, 0);
            tally.left_rounded = tally.left.convert_to<double>();
            // If the fixed part rules out all points, derived constants may have no valid value to continue
            // with.
            tally.count = possible() ? count_group(space, group, values_, limits)
                                     : GroupCount{true, std::vector<std::uint64_t>(group.steps.size()), 0};
            tally.group = std::move(group);
            exact_ = exact_ && tally.count.exact;
            tallies_.push_back(std::move(tally));
        }
    }

    SpaceCount run() {
        SpaceCount result;
        // The grid's size is exact even if counts are estimated.
        const bool exact = std::exchange(exact_, true);
        result.grid = product();
        exact_ = exact;
        for (std::size_t i = 0; i < space_.steps().size(); ++i) {
            const Step& step = space_.steps()[i];
            result.steps.push_back({space_.describe(step), where(step), step.kind, take(i)});
        }
        result.remaining = product();
        if (!exact_) {
            result.method = SpaceCount::Method::estimated;
            result.standard_error = standard_error(result);
        }
        return result;
    }

  private:
    [[nodiscard]] bool possible() const { return possible_.empty() || possible_.back(); }

    [[nodiscard]] const config::Location& where(const Step& step) const {
        if (step.kind == Step::Kind::activate) return space_.conditions()[step.index].where;
        return step.kind == Step::Kind::derive ? space_.derived()[step.index].where
                                               : space_.requirements()[step.index].where;
    }

    /// Applies a step to the remaining points. \returns the number that it drops
    Cardinality take(std::size_t step) {
        const Integer before = exact_product();
        const double before_rounded = rounded_product();
        if (space_.steps()[step].axes.empty()) {
            if (!possible_[step]) ruled_out_ = true;
        } else {
            for (Tally& tally : tallies_) {
                if (tally.next_step < tally.group.steps.size() &&
                    tally.group.steps[tally.next_step] == step) {
                    reduce(tally);
                }
            }
        }
        if (exact_) return cardinality(before - exact_product());
        return {before_rounded - rounded_product(), std::nullopt};
    }

    void reduce(Tally& tally) {
        const std::size_t i = tally.next_step++;
        const std::uint64_t failures = tally.count.failures[i];
        if (tally.count.exact) {
            tally.left -= points_from(space_, tally.group, level_after(tally.group, i)) * failures;
            tally.left_rounded = tally.left.convert_to<double>();
        } else {
            const double all = points_from(space_, tally.group, 0).convert_to<double>();
            tally.left_rounded -=
                all * static_cast<double>(failures) / static_cast<double>(tally.count.draws);
            if (tally.left_rounded < 0.5 * all / static_cast<double>(tally.count.draws))
                tally.left_rounded = 0.0;
        }
    }

    /// Number of the group's axes that are fixed after its step i.
    [[nodiscard]] std::size_t level_after(const AxisGroup& group, std::size_t i) const {
        const std::size_t depth = space_.steps()[group.steps[i]].depth;
        std::size_t level = 0;
        while (level < group.axes.size() && group.axes[level] < depth) ++level;
        return level;
    }

    [[nodiscard]] Integer exact_product() const {
        Integer result = ruled_out_ ? 0 : 1;
        for (const Tally& tally : tallies_) result *= tally.left;
        return result;
    }

    [[nodiscard]] double rounded_product() const {
        double result = ruled_out_ ? 0.0 : 1.0;
        for (const Tally& tally : tallies_) result *= tally.left_rounded;
        return result;
    }

    [[nodiscard]] Cardinality product() const {
        return exact_ ? cardinality(exact_product()) : Cardinality{rounded_product(), std::nullopt};
    }

    /// Relative variances of independent binomial shares add up.
    [[nodiscard]] double standard_error(const SpaceCount& result) const {
        double relative_variance = 0.0;
        double bound = 1.0;  // of the product, assuming three hits where there was none
        bool none_hit = false;
        for (const Tally& tally : tallies_) {
            const double all = points_from(space_, tally.group, 0).convert_to<double>();
            if (tally.count.exact) {
                bound *= tally.left_rounded;
                continue;
            }
            const auto draws = static_cast<double>(tally.count.draws);
            const double share = tally.left_rounded / all;
            none_hit = none_hit || share == 0.0;
            bound *= share == 0.0 ? all * 3.0 / draws : tally.left_rounded;
            if (share > 0.0) relative_variance += (1.0 - share) / (share * draws);
        }
        return none_hit ? bound : result.remaining.approximate * std::sqrt(relative_variance);
    }

    const Space& space_;
    std::vector<double> values_;
    std::vector<bool> possible_;  ///< after each of the steps that depend on no axis
    std::vector<Tally> tallies_;
    bool exact_{true};
    bool ruled_out_{false};
};

}  // namespace

SpaceCount count(const Space& space, const CountLimits& limits) {
    return Counter(space, limits).run();
}

}  // namespace dse::space
