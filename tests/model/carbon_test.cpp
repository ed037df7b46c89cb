#include "dse/model/carbon.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

/// 100 devices of 164 kg in nodes of 300 kg a device, six years, on a grid of 360 g/kWh: 1e-4 g/J.
hardware::SystemSpec hundred_devices() {
    hardware::SystemSpec system;
    system.devices = 100;
    system.cluster.device.power.embodied = Grams{164e3};
    system.cluster.host.embodied = Grams{300e3};
    system.cluster.facility.carbon_intensity = GramsPerJoule{1e-4};
    system.cluster.facility.lifetime = Seconds{6.0 * 365.0 * 86400.0};
    return system;
}

TEST(Carbon, is_of_electricity_and_of_making_the_machine) {
    // A day: 1 GJ is 100 kg; of 46.4 t one day in 2,190.
    const Carbon day = carbon(hundred_devices(), Seconds{86400.0}, Joules{1e9});
    EXPECT_SOFT_EQ(Grams{100e3}, day.electricity);
    EXPECT_SOFT_EQ(Grams{46.4e6 / 2190.0}, day.making);
    EXPECT_SOFT_EQ(Grams{100e3 + 46.4e6 / 2190.0}, day.all());
}

TEST(Carbon, leaves_out_what_nobody_states) {
    hardware::SystemSpec system = hundred_devices();
    system.cluster.device.power.embodied = Grams{};
    EXPECT_EQ(Grams{}, carbon(system, Seconds{1.0}, Joules{1.0}).making);
    system = hundred_devices();
    system.cluster.facility.lifetime = Seconds{};
    EXPECT_EQ(Grams{}, carbon(system, Seconds{1.0}, Joules{1.0}).making);
    system.cluster.facility.carbon_intensity = GramsPerJoule{};
    EXPECT_TRUE(std::isnan(carbon(system, Seconds{1.0}, Joules{1.0}).all().value()));
}

}  // namespace
}  // namespace dse::model
