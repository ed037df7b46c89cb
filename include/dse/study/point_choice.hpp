#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// A point of a sweep, and the axes whose value was not determined by the user.
struct PointChoice {
    space::Point point;
    std::vector<std::size_t>
        open;  ///< indices of axes with more than one value, which have the first valid one
};

/// The first point of a sweep's space, in the order of the grid (of the search if there is no grid).
/// \throws InputError if the space is empty, naming the constraints that drop its points
PointChoice first_point(const Sweep& sweep);

/// The first point, in the same order, that is accepted; the first point if none of the first 1,000 is.
/// \throws InputError as first_point
PointChoice first_point(const Sweep& sweep, const std::function<bool(const space::Point&)>& accepts);

/// The id that a point has in the rows of another sweep with the same axes, such as its file without --set;
/// nothing if the ids of those rows are not indices of a grid, or if one of the point's values is on none of
/// its axes.
std::optional<std::uint64_t> id_in(const space::Space& other, const space::Space& own,
                                   const space::Point& point);

/// The values of an axis in order, in the syntax of --set.
/// \throws InputError naming the sweep's axes if there is none of this name, or if the axis is not a list
std::vector<std::string> values_of_axis(const Sweep& sweep, const std::string& axis);

/// "tp=8 pp=4 dp=1": axes and derived values.
std::string describe(const space::Space& space, const space::Point& point);

}  // namespace dse::study
