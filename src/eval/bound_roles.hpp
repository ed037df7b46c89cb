#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dse/study/sweep.hpp"

namespace dse::eval {

/// The effect of an axis on results, as far as bounds can use it.
enum class BoundRole : std::uint8_t {
    structure,  ///< bounds require a single value: layouts, devices, models
    least,      ///< lower values reduce time, energy and cost, all else being equal
    sparing,    ///< lower values reduce time and energy, higher values reduce cost
    most,       ///< higher values reduce time and energy; the cost may grow with them
    network,    ///< its effect on communication has no order: all values are tried
};

/// Whether one end of the axis is the fastest.
bool is_ordered(BoundRole role);

/// A derived price of the device only affects cost: bounds use its lowest value in a box.
inline constexpr std::string_view derived_price = "system.cluster.device.price";

/// The roles of all axes of a sweep. An axis is structure if a condition or a derived field other than the
/// price depends on it, or if an ordered axis has values that are not > 0, because 0 often means "not
/// stated".
std::vector<BoundRole> bound_roles(const study::Sweep& sweep);

/// Which models have times that change with the fields of the machine in one direction only.
struct Monotonic {
    bool compute{false};  ///< see model::ComputeFactory
    bool network{false};  ///< see netsim::NetworkFactory
};
Monotonic monotonic(const study::FidelitySpec& fidelity);

/// The role of a field, given its full path.
BoundRole bound_role(std::string_view path, const Monotonic& models);

}  // namespace dse::eval
