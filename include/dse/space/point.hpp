#pragma once

#include <cstdint>
#include <vector>

namespace dse::space {

/// One configuration: the values of all axes, then of all derived names, in the order of the sweep.
/// A value is a number: an integer, a quantity in SI units, 0 or 1 for a flag, or the index of a label
/// (see Axis::labels).
struct Point {
    std::uint64_t id{0};  ///< for grid points the mixed-radix index in the declared order of the axes
    std::vector<double> values;
};

}  // namespace dse::space
