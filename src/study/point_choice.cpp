#include "dse/study/point_choice.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/base/human_count.hpp"
#include "dse/base/nearest.hpp"
#include "dse/space/grid_cursor.hpp"
#include "dse/space/grid_index.hpp"
#include "dse/space/registry.hpp"
#include "dse/space/sampler.hpp"
#include "dse/space/space_count.hpp"

namespace dse::study {
namespace {

/// Combinations of values that a search for the first point looks at, some seconds long, before draws from
/// all of the grid say whether there is any.
constexpr std::uint64_t most_visits = 100'000'000;

/// \param how_sure  ends the sentence "no point of the space has these values"
[[noreturn]] void refuse_empty(const Sweep& sweep, const space::SpaceCount& count,
                               const std::string& how_sure = "") {
    std::vector<std::string> lines;
    for (const space::StepCount& step : count.steps) {
        if (step.dropped.approximate == 0.0) continue;
        const std::string place = config::to_string(step.where);
        lines.push_back(fmt::format("{}{}{} drops {}", place, place.empty() ? "" : ": ", step.text,
                                    human_count(step.dropped.approximate)));
    }
    throw InputError(fmt::format("{}: no point of the space has these values{}; of {} in the grid\n  {}",
                                 sweep.file, how_sure, human_count(count.grid.approximate),
                                 fmt::join(lines, "\n  ")));
}

using Accepts = std::function<bool(const space::Point&)>;

/// Sets the point to the first one of a cursor that is accepted, or else to the first one.
/// \return false if there is no point
template <class Cursor>
bool find(Cursor& cursor, const Accepts& accepts, space::Point& point) {
    constexpr int most = 1000;
    if (!cursor.next(point)) return false;
    space::Point next = point;
    for (int tried = 1; !accepts(next); ++tried) {
        if (tried == most || !cursor.next(next)) return true;
    }
    point = std::move(next);
    return true;
}

/// A walk over the grid that gives up where there seem to be no points.
struct LimitedWalk {
    space::GridCursor cursor;
    std::uint64_t visits{most_visits};

    bool next(space::Point& point) { return cursor.next(point, visits); }
};

bool find_in_grid(const Sweep& sweep, const Accepts& accepts, space::Point& point) {
    const space::Space& space = *sweep.space;
    LimitedWalk walk{space::GridCursor{space, 0, *space.grid_size().exact}};
    if (find(walk, accepts, point)) return true;
    if (walk.visits > 0) return false;
    const space::SpaceCount count = space::count(space);
    if (count.remaining.approximate == 0.0)
        refuse_empty(sweep, count,
                     fmt::format(", as far as its first {} combinations and draws at random show",
                                 human_count(most_visits)));
    return find(walk.cursor, accepts, point);
}

bool find_by_search(const Sweep& sweep, const Accepts& accepts, space::Point& point) {
    const auto sampler = space::make_sampler(sweep.space);
    const auto cursor = sampler->points(0, sampler->size());
    return find(*cursor, accepts, point);
}

/// The condition under which an axis has values; nullptr if it always has.
const space::Condition* condition_of(const space::Space& space, std::size_t axis) {
    const auto& conditions = space.conditions();
    const auto found = std::find_if(conditions.begin(), conditions.end(),
                                    [&](const space::Condition& one) { return one.axis == axis; });
    return found == conditions.end() ? nullptr : &*found;
}

/// The same value on another axis, which may number its labels differently; nothing if it is not one of its
/// values.
std::optional<double> value_on(const space::Space& other, std::size_t axis, const space::Space& own,
                               double value) {
    const space::Axis& to = other.axes()[axis];
    const space::Axis& from = own.axes()[axis];
    if (const space::Condition* condition = condition_of(own, axis);
        condition != nullptr && !space::place_on(from.values, value)) {
        const space::Condition* same = condition_of(other, axis);
        return same != nullptr ? std::optional{same->idle} : std::nullopt;
    }
    if (!to.labels.empty()) {
        const auto label = std::find(to.labels.begin(), to.labels.end(), from.format(value));
        if (label == to.labels.end()) return std::nullopt;
        value = static_cast<double>(label - to.labels.begin());
    }
    return space::place_on(to.values, value) ? std::optional{value} : std::nullopt;
}

/// The name that ends with a part of it, after a dot, as --set and --by take it; the end where not one does.
std::vector<std::string>::iterator only_one_ending_with(std::vector<std::string>& names,
                                                        const std::string& part) {
    const auto ends = [&](const std::string& name) { return name.ends_with("." + part); };
    const auto found = std::find_if(names.begin(), names.end(), ends);
    return std::count_if(names.begin(), names.end(), ends) == 1 ? found : names.end();
}

}  // namespace

PointChoice first_point(const Sweep& sweep) {
    return first_point(sweep, [](const space::Point&) { return true; });
}

PointChoice first_point(const Sweep& sweep, const Accepts& accepts) {
    const space::Space& space = *sweep.space;
    const bool grid = space.is_discrete() && space.grid_size().exact;
    // A large grid is counted first: searching all of an empty one could take forever.
    constexpr double quickly_walked = 1e7;
    if (grid && space.grid_size().approximate > quickly_walked) {
        const space::SpaceCount count = space::count(space);
        if (count.method == space::SpaceCount::Method::exact && count.remaining.approximate == 0.0) {
            refuse_empty(sweep, count);
        }
    }
    PointChoice choice;
    if (!(grid ? find_in_grid(sweep, accepts, choice.point) : find_by_search(sweep, accepts, choice.point))) {
        refuse_empty(sweep, space::count(space));
    }
    for (std::size_t i = 0; i < space.axes().size(); ++i) {
        const space::Axis& axis = space.axes()[i];
        if (axis.continuum || axis.values.count() > 1) choice.open.push_back(i);
    }
    return choice;
}

std::optional<std::uint64_t> id_in(const space::Space& other, const space::Space& own,
                                   const space::Point& point) {
    const bool is_grid = space::walks_grid(other.search().method) && other.is_discrete() && own.is_discrete();
    const auto has_name = [](const space::Axis& a, const space::Axis& b) { return a.name == b.name; };
    if (!is_grid || !std::ranges::equal(other.axes(), own.axes(), has_name)) return std::nullopt;
    std::vector<double> values(other.width());
    for (std::size_t axis = 0; axis < other.axes().size(); ++axis) {
        const auto value = value_on(other, axis, own, point.values[axis]);
        if (!value) return std::nullopt;
        values[axis] = *value;
    }
    return space::grid_index(other, values);
}

std::vector<std::string> values_of_axis(const Sweep& sweep, const std::string& axis) {
    const auto& axes = sweep.space->axes();
    std::vector<std::string> names;
    names.reserve(axes.size());
    for (const space::Axis& one : axes) names.push_back(one.name);
    auto found = std::find(names.begin(), names.end(), axis);
    if (found == names.end()) found = only_one_ending_with(names, axis);
    if (found == names.end()) {
        throw InputError(fmt::format("{}: has no axis '{}'{}", sweep.file, axis, suggestion(axis, names)));
    }
    const space::Axis& chosen = axes[static_cast<std::size_t>(found - names.begin())];
    if (chosen.continuum)
        throw InputError(fmt::format("{}: axis '{}' is a range without steps", sweep.file, axis));
    std::vector<std::string> values;
    for (std::uint64_t i = 0; i < chosen.values.count(); ++i)
        values.push_back(chosen.format(chosen.values[i]));
    return values;
}

std::string describe(const space::Space& space, const space::Point& point) {
    std::vector<std::string> parts;
    for (std::size_t slot = 0; slot < space.width(); ++slot) {
        parts.push_back(fmt::format("{}={}", space.slot_name(slot), space.format(slot, point.values[slot])));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace dse::study
