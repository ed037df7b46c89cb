#include "dse/eval/advice/staircase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/eval/error_interval.hpp"
#include "dse/eval/evaluator.hpp"

namespace dse::eval {
namespace {

/// Index of a point's value on each axis.
using Place = std::vector<std::uint64_t>;

Place place_of(const space::Space& space, std::uint64_t id) {
    Place place;
    for (std::size_t axis = 0; axis < space.axes().size(); ++axis)
        place.push_back(id / space.stride(axis) % space.axes()[axis].values.count());
    return place;
}

std::uint64_t id_of(const space::Space& space, const Place& place) {
    std::uint64_t id = 0;
    for (std::size_t axis = 0; axis < place.size(); ++axis) id += place[axis] * space.stride(axis);
    return id;
}

/// Results by point id; each point is evaluated once.
class Answers {
  public:
    explicit Answers(const study::Sweep& sweep) : space_{*sweep.space}, evaluator_{sweep} {}

    /// \return nullptr if the point does not exist or has no result
    const metrics::Metrics* at(std::uint64_t id) {
        const auto [found, fresh] = known_.try_emplace(id);
        if (fresh) found->second = evaluate(id);
        return found->second ? &*found->second : nullptr;
    }
    [[nodiscard]] double time(std::uint64_t id) {
        const metrics::Metrics* metrics = at(id);
        return metrics != nullptr ? metrics->iteration_time : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] std::uint64_t evaluated() const { return evaluated_; }
    [[nodiscard]] std::uint64_t feasible() const { return feasible_; }

  private:
    std::optional<metrics::Metrics> evaluate(std::uint64_t id) {
        if (!space_.point(id, record_.point)) return std::nullopt;
        ++evaluated_;
        evaluator_.evaluate(record_.point, record_);
        if (record_.status != space::Status::ok) return std::nullopt;
        ++feasible_;
        return record_.metrics;
    }

    const space::Space& space_;
    Evaluator evaluator_;
    space::Record record_;
    std::map<std::uint64_t, std::optional<metrics::Metrics>> known_;
    std::uint64_t evaluated_{0};
    std::uint64_t feasible_{0};
};

/// The fastest of all points; `from` if none is faster.
std::uint64_t fastest_of_all(const space::Space& space, std::uint64_t from, Answers& answers) {
    std::uint64_t best = from;
    for (std::uint64_t id = 0; id < *space.grid_size().exact; ++id) {
        if (answers.time(id) < answers.time(best)) best = id;
    }
    return best;
}

/// The fastest point that differs in one or two axes; `from` if none is faster.
std::uint64_t fastest_near(const space::Space& space, std::uint64_t from, Answers& answers) {
    std::uint64_t best = from;
    const auto consider = [&](const Place& place) {
        const std::uint64_t id = id_of(space, place);
        if (answers.time(id) < answers.time(best)) best = id;
    };
    const std::size_t axes = space.axes().size();
    for (std::size_t a = 0; a < axes; ++a) {
        Place place = place_of(space, from);
        for (place[a] = 0; place[a] < space.axes()[a].values.count(); ++place[a]) {
            consider(place);
            for (std::size_t b = a + 1; b < axes; ++b) {
                Place both = place;
                for (both[b] = 0; both[b] < space.axes()[b].values.count(); ++both[b]) consider(both);
            }
        }
    }
    return best;
}

/// Local search until no such neighbour is faster.
std::uint64_t climbed(const space::Space& space, std::uint64_t from, Answers& answers) {
    for (std::uint64_t best = from;;) {
        const std::uint64_t next = fastest_near(space, best, answers);
        if (next == best) return best;
        best = next;
    }
}

/// The axes on which two points differ.
std::vector<std::size_t> changed_axes(const Place& from, const Place& to) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (from[axis] != to[axis]) axes.push_back(axis);
    }
    return axes;
}

struct Step {
    std::uint64_t subset{0};  ///< subset of the remaining axes, as a bit mask
    double time{std::numeric_limits<double>::infinity()};
};

/// Moves a subset of the given axes to their values at the goal.
Place towards(const Place& from, const Place& goal, const std::vector<std::size_t>& axes,
              std::uint64_t subset) {
    Place place = from;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if ((subset >> i & 1U) != 0U) place[axes[i]] = goal[axes[i]];
    }
    return place;
}

/// The smallest set of changes that makes the point faster; among sets of equal size, the one that saves
/// most.
Step next_step(const space::Space& space, const Place& from, const Place& goal,
               const std::vector<std::size_t>& axes, double time, Answers& answers) {
    constexpr std::size_t most_axes = 16;
    const std::uint64_t subsets = std::uint64_t{1} << std::min(axes.size(), most_axes);
    for (int size = 1; size < static_cast<int>(axes.size()); ++size) {
        Step best;
        for (std::uint64_t subset = 1; subset < subsets; ++subset) {
            if (std::popcount(subset) != size) continue;
            const double reached = answers.time(id_of(space, towards(from, goal, axes, subset)));
            if (reached < best.time) best = {subset, reached};
        }
        if (best.time < time) return best;
    }
    return {~std::uint64_t{0}, answers.time(id_of(space, goal))};
}

std::vector<Stair> stairs_to(const space::Space& space, std::uint64_t from, std::uint64_t goal,
                             Answers& answers) {
    std::vector<Stair> stairs;
    Place at = place_of(space, from);
    const Place top = place_of(space, goal);
    double time = answers.time(from);
    for (auto axes = changed_axes(at, top); !axes.empty(); axes = changed_axes(at, top)) {
        const Step step = next_step(space, at, top, axes, time, answers);
        const Place next = towards(at, top, axes, step.subset);
        Stair stair;
        stair.axes = changed_axes(at, next);
        static_cast<void>(space.point(id_of(space, next), stair.point));
        stair.metrics = *answers.at(id_of(space, next));
        stairs.push_back(std::move(stair));
        at = next;
        time = step.time;
    }
    return stairs;
}

}  // namespace

Staircase climb(const study::Sweep& sweep, const space::Point& from, std::uint64_t most) {
    const space::Space& space = *sweep.space;
    DSE_EXPECT(space.grid_size().exact.has_value());
    Answers answers{sweep};
    Staircase staircase;
    staircase.complete = *space.grid_size().exact <= most;
    const std::uint64_t best =
        staircase.complete ? fastest_of_all(space, from.id, answers) : climbed(space, from.id, answers);
    if (const metrics::Metrics* own = answers.at(from.id)) staircase.from = *own;
    if (best != from.id) staircase.stairs = stairs_to(space, from.id, best, answers);
    staircase.points = answers.evaluated();
    staircase.feasible = answers.feasible();
    return staircase;
}

double probability_faster(const metrics::Metrics& before, const metrics::Metrics& after, double correlation) {
    // Half of the 80 % interval is 1.2816 standard deviations.
    constexpr double deviations = 1.2815515655446004;
    const auto errors_of = [](const metrics::Metrics& metrics) {
        return interval_between(metrics.iteration_time_low, metrics.iteration_time_high,
                                metrics.iteration_time);
    };
    const ErrorInterval errors = ratio(errors_of(before), errors_of(after), correlation);
    if (errors.width == 0.0) return metrics::not_a_number;
    const double longer = std::log(before.iteration_time / after.iteration_time) + errors.shift;
    return 0.5 * std::erfc(-longer * deviations / errors.width / std::sqrt(2.0));
}

}  // namespace dse::eval
