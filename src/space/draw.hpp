#pragma once

#include <cstdint>

#include "dse/base/seed.hpp"
#include "dse/space/axis.hpp"

namespace dse::space {

/// Uniform in [0, 1), from 53 of the 64 bits.
constexpr double unit_of(std::uint64_t bits) {
    return static_cast<double>(bits >> 11U) * 0x1.0p-53;
}

/// The value of an axis at the fraction `u` of its values or range, 0 <= u < 1.
inline double value_at(const Axis& axis, double u) {
    if (axis.continuum) return axis.continuum->at(u);
    const std::uint64_t count = axis.values.count();
    const auto index = static_cast<std::uint64_t>(u * static_cast<double>(count));
    return axis.values[index < count ? index : count - 1];
}

}  // namespace dse::space
