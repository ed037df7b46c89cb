#include "dse/model/carbon.hpp"

#include <limits>

namespace dse::model {

Carbon carbon(const hardware::SystemSpec& system, Seconds duration, Joules energy) {
    const hardware::FacilitySpec& facility = system.cluster.facility;
    Carbon carbon;
    carbon.electricity = facility.carbon_intensity > GramsPerJoule{}
                             ? energy * facility.carbon_intensity
                             : Grams{std::numeric_limits<double>::quiet_NaN()};
    const Grams device = hardware::mean_over_devices(
        system, [](const hardware::DeviceSpec& one) { return one.power.embodied; });
    if (facility.lifetime > Seconds{} && device > Grams{}) {
        const Grams machine = (device + system.cluster.host.embodied) * static_cast<double>(system.devices);
        carbon.making = machine * (duration / facility.lifetime);
    }
    return carbon;
}

}  // namespace dse::model
