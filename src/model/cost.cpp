#include "dse/model/cost.hpp"

#include <limits>

namespace dse::model {

Dollars cost(const hardware::SystemSpec& system, Seconds duration, Joules energy) {
    const DollarsPerSecond rent = system.cluster.device.price;
    const hardware::DollarsPerJoule electricity = system.cluster.facility.electricity_price;
    const bool pays_electricity = electricity.value() > 0.0;
    if (rent.value() <= 0.0 && !pays_electricity) return Dollars{std::numeric_limits<double>::quiet_NaN()};
    const Dollars devices = rent * duration * static_cast<double>(system.devices);
    return pays_electricity ? devices + energy * electricity : devices;
}

}  // namespace dse::model
