#pragma once

#include <string>
#include <vector>

#include "dse/space/point.hpp"
#include "dse/study/sweep.hpp"

namespace dse::study {

/// A point of a sweep, and the axes whose value was chosen for lack of another.
struct PointChoice {
    space::Point point;
    std::vector<std::size_t>
        open;  ///< axes with more than one value, by index; they have the first that is valid
};

/// The first point of a sweep's space, in the order of the grid (of the search, where there is no grid).
/// \throws InputError when the space is empty, naming what drops its points
PointChoice first_point(const Sweep& sweep);

/// The values of an axis in its order, as --set takes them.
/// \throws InputError naming the sweep's axes when it has none of that name, or the axis is no list
std::vector<std::string> values_of_axis(const Sweep& sweep, const std::string& axis);

/// "tp=8 pp=4 dp=1": axes and derived values.
std::string describe(const space::Space& space, const space::Point& point);

}  // namespace dse::study
