#pragma once

#include <algorithm>
#include <cstdint>

#include "dse/space/axis.hpp"

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

}  // namespace dse::study
