#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/study/sweep.hpp"

namespace dse::eval {

/// What an axis does to answers, as far as bounds can make use of it.
enum class BoundRole : std::uint8_t {
    structure,  ///< bounds need one value of it: layouts, devices, models
    least,      ///< the lower its value, the less time, energy and money, everything else being equal
    sparing,    ///< the lower its value, the less time and energy; the higher, the less money
    most,       ///< the higher its value, the less time and energy; what it costs may grow with it
    network,    ///< what it does to communication has no order: all its values are tried
};

/// Whether one end of the axis is the best in time.
bool is_ordered(BoundRole role);

/// A derived price of the device decides money alone: bounds take the least that it is anywhere in a box.
inline constexpr std::string_view derived_price = "system.cluster.device.price";

/// Of each axis of a sweep. An axis that a derived field other than the price or a condition depends on is
/// structure, whatever it sets; so is one that has values which are not above 0, since 0 often stands for
/// what is not stated.
std::vector<BoundRole> bound_roles(const study::Sweep& sweep);

/// Of a field of the base fidelity, by its whole path.
BoundRole bound_role(std::string_view path, const study::FidelitySpec& fidelity);

}  // namespace dse::eval
