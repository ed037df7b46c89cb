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
    /// Switches and their optics beyond the nodes, per device: they draw the same whatever they carry.
    Watts fabric_power;
    /// Of the electricity, in CO2 equivalents. 0: unknown.
    GramsPerJoule carbon_intensity;
    /// Of the machine: an hour of it bears so much less of what making it emitted.
    Seconds lifetime;
};

Problems problems_of(const FacilitySpec& facility);

template <class Visitor>
void describe(Visitor& v, FacilitySpec& facility) {
    v.optional("pue", facility.pue, config::at_least(1), "power of the building over power of the machine");
    v.optional("electricity_price", facility.electricity_price, config::not_negative,
               "on top of the rent; 0: the rent covers it");
    v.optional("fabric_power", facility.fabric_power, config::not_negative,
               "switches and optics beyond the nodes, per device");
    v.optional("carbon_intensity", facility.carbon_intensity, config::not_negative,
               "greenhouse gases of the electricity, in CO2 equivalents, as in 445 g/kWh");
    v.optional("lifetime", facility.lifetime, config::not_negative,
               "of the machine, over which its making is spread");
    check_after_reading(v, facility);
}

}  // namespace dse::hardware
