#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

using DollarsPerJoule = Quantity<0, 0, 0, -1, 1>;

/// The building around the machine.
struct FacilitySpec {
    /// Power usage effectiveness: power of the building over power of the machine; >= 1.
    double pue{1.0};
    /// Paid on top of the rent of the devices. 0: the rent covers it.
    DollarsPerJoule electricity_price;
};

Problems problems_of(const FacilitySpec& facility);

template <class Visitor>
void describe(Visitor& v, FacilitySpec& facility) {
    v.optional("pue", facility.pue, config::at_least(1), "power of the building over power of the machine");
    v.optional("electricity_price", facility.electricity_price, config::not_negative,
               "on top of the rent; 0: the rent covers it");
    check_after_reading(v, facility);
}

}  // namespace dse::hardware
