#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "dse/space/axis.hpp"
#include "dse/study/draft.hpp"

namespace dse::study {

/// The least and the largest value of an axis.
struct AxisRange {
    double least{0.0};
    double most{0.0};
};

/// \param axis  has a value
inline AxisRange range_of(const space::Axis& axis) {
    if (axis.continuum) return {axis.continuum->low, axis.continuum->high};
    const space::AxisValues& values = axis.values;
    AxisRange range{values[0], values[0]};
    // Of a sequence, which may be long, the last value is enough.
    for (std::uint64_t i = values.is_sequence() ? values.count() - 1 : 1; i < values.count(); ++i)
        range = {std::min(range.least, values[i]), std::max(range.most, values[i])};
    return range;
}

/// The largest value of a field in any point, of those that the sweep or an axis states.
/// \param path   "workload.sequence"
/// \param base   the value where no axis sets it
inline double largest(const Sweep& sweep, std::string_view path, std::int64_t base) {
    const space::Axis* axis = axis_of(sweep, path);
    const auto most = static_cast<double>(base);
    return axis != nullptr ? std::max(most, range_of(*axis).most) : most;
}

}  // namespace dse::study
