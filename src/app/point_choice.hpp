#pragma once

#include <string>
#include <vector>

#include "dse/eval/sweep.hpp"
#include "dse/space/point.hpp"

namespace dse::app {

/// A point of a sweep, and the axes whose value was chosen for lack of another.
struct PointChoice {
    space::Point point;
    std::vector<std::size_t>
        open;  ///< axes with more than one value, by index; they have the first that is valid
};

/// The first point of a sweep's space, in the order of the grid (of the search, where there is no grid).
/// \throws InputError when the space is empty, naming what drops its points
PointChoice first_point(const eval::Sweep& sweep);

/// The values of an axis in its order, as --set takes them.
/// \throws InputError naming the sweep's axes when it has none of that name, or the axis is no list
std::vector<std::string> values_of_axis(const eval::Sweep& sweep, const std::string& axis);

/// Says on standard error which values nobody asked for.
void print_open(const eval::Sweep& sweep, const PointChoice& choice);

/// "tp=8 pp=4 dp=1": axes and derived values.
std::string describe(const space::Space& space, const space::Point& point);

}  // namespace dse::app
