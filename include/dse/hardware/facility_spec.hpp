#pragma once

#include "dse/base/units.hpp"
#include "dse/config/described_once.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

using DollarsPerJoule = Quantity<0, 0, 0, -1, 1>;

/// The data center around the machine.
struct FacilitySpec {
    /// Power usage effectiveness: total power of the data center over power of the machine; >= 1.
    double pue{1.0};
    /// Price of electricity if it is paid in addition to the rent of the devices. 0: the rent covers it.
    DollarsPerJoule electricity_price;
    /// Power per device of the switches and optics outside the nodes, independent of their load.
    Watts fabric_power;
    /// Emissions of the electricity, in CO2 equivalents. 0: unknown.
    GramsPerJoule carbon_intensity;
    /// Lifetime of the machine, over which the emissions of its production are spread.
    Seconds lifetime;
};

Problems problems_of(const FacilitySpec& facility);

template <class Visitor>
void describe(Visitor& v, FacilitySpec& facility) {
    v.optional("pue", facility.pue, config::at_least(1),
               "power usage effectiveness: power of the data center over power of the machine");
    v.optional("electricity_price", facility.electricity_price, config::not_negative,
               "price of electricity in addition to the rent; 0: the rent covers it");
    v.optional("fabric_power", facility.fabric_power, config::not_negative,
               "power per device of switches and optics outside the nodes");
    v.optional("carbon_intensity", facility.carbon_intensity, config::not_negative,
               "emissions of the electricity in CO2 equivalents, such as 445 g/kWh");
    v.optional("lifetime", facility.lifetime, config::not_negative,
               "lifetime of the machine, over which the emissions of its production are spread");
    check_after_reading(v, facility);
}
DSE_DESCRIBED_ONCE(FacilitySpec);

}  // namespace dse::hardware
