#include "dse/model/energy.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

hardware::SystemSpec system_of_ten() {
    hardware::SystemSpec system;
    system.devices = 10;
    system.cluster.device = bare_device();
    system.cluster.network = plain_network();
    return system;
}

/// Half a second at half the arithmetic, a fifth of the memory and a tenth of the link.
const Activity half_second{Seconds{0.5}, Flop{25e12}, Bytes{100e9}, Bytes{5e9}};

hardware::DeviceSpec with_limit(double watts) {
    hardware::DeviceSpec device = bare_device();
    device.power.tdp = Watts{watts};
    device.matmul.sustained.bf16 = FlopPerSecond{80e12};
    return device;
}

/// Operations at 50 of 80 TFLOP/s, bytes at 0.2 of 1 TB/s, 10 GB/s sent at 44 pJ/B.
TEST(PowerByLimit, is_what_large_products_and_full_bandwidth_would_draw) {
    const hardware::DeviceSpec device = with_limit(1000.0);
    EXPECT_SOFT_EQ(Watts{1000.0 * (0.38 + 0.62 * 0.625 + 0.70 * 0.2) + 0.44},
                   power_by_limit(device, half_second));
    EXPECT_SOFT_EQ(Watts{380.0}, power_by_limit(device, {Seconds{1.0}, Flop{}, Bytes{}, Bytes{}}));
    EXPECT_SOFT_EQ(Watts{1000.0}, power_by_limit(device, {Seconds{1.0}, Flop{90e12}, Bytes{}, Bytes{}}));
}

TEST(PowerByLimit, starts_at_the_stated_active_power) {
    hardware::DeviceSpec device = with_limit(800.0);
    device.power.idle = Watts{40.0};
    device.power.active = Watts{200.0};
    EXPECT_SOFT_EQ(Watts{200.0}, power_by_limit(device, {Seconds{1.0}, Flop{}, Bytes{}, Bytes{}}));
    // Half of what a large product draws beside it.
    EXPECT_SOFT_EQ(Watts{500.0}, power_by_limit(device, {Seconds{1.0}, Flop{40e12}, Bytes{}, Bytes{}}));
}

TEST(PowerByLimit, is_unknown_without_a_limit) {
    EXPECT_TRUE(std::isnan(power_by_limit(bare_device(), half_second).value()));
}

TEST(PowerByLimit, refuses_a_format_that_the_device_lacks) {
    Activity activity = half_second;
    activity.precision = graph::Precision::fp8;
    EXPECT_THROW(static_cast<void>(power_by_limit(with_limit(1000.0), activity)), ModelError);
}

TEST(PowerByComponent, adds_the_energy_of_operations_and_bytes) {
    hardware::DeviceSpec device = bare_device();
    device.power.idle = Watts{50.0};
    device.power.per_flop = JoulesPerFlop{1e-12};
    device.power.per_memory_byte = JoulesPerByte{50e-12};
    device.power.per_link_byte = JoulesPerByte{200e-12};
    // 25 J + 5 J + 1 J in half a second: 62 W on top of 50 W.
    EXPECT_SOFT_EQ(Watts{112.0}, power_by_component(device, half_second));
    device.power.active = Watts{80.0};
    EXPECT_SOFT_EQ(Watts{142.0}, power_by_component(device, half_second));
}

TEST(PowerByComponent, stays_within_the_limit) {
    hardware::DeviceSpec device = bare_device();
    device.power.tdp = Watts{80.0};
    device.power.idle = Watts{50.0};
    device.power.per_flop = JoulesPerFlop{1e-12};
    EXPECT_SOFT_EQ(Watts{80.0}, power_by_component(device, half_second));
}

TEST(EnergyOfOperation, follows_the_peak_where_a_format_has_none) {
    hardware::DeviceSpec device = bare_device();
    device.power.per_flop = JoulesPerFlop{1e-12};
    EXPECT_SOFT_EQ(JoulesPerFlop{1e-12}, energy_of_operation(device, graph::Precision::bf16));
    // A tenth of the rate at the same power.
    EXPECT_SOFT_EQ(JoulesPerFlop{10e-12}, energy_of_operation(device, graph::Precision::fp32));
    device.peak.fp8 = FlopPerSecond{200e12};
    EXPECT_SOFT_EQ(JoulesPerFlop{0.5e-12}, energy_of_operation(device, graph::Precision::fp8));
    device.power.per_flop_8bit = JoulesPerFlop{0.6e-12};
    device.power.per_flop_4bit = JoulesPerFlop{0.2e-12};
    EXPECT_SOFT_EQ(JoulesPerFlop{0.6e-12}, energy_of_operation(device, graph::Precision::fp8));
    EXPECT_SOFT_EQ(JoulesPerFlop{0.6e-12}, energy_of_operation(device, graph::Precision::int8));
    EXPECT_SOFT_EQ(JoulesPerFlop{0.2e-12}, energy_of_operation(device, graph::Precision::fp4));
}

TEST(Energy, is_that_of_the_whole_job_with_hosts_and_building) {
    hardware::SystemSpec system = system_of_ten();
    system.cluster.device.power.tdp = Watts{1000.0};
    system.cluster.host.power = Watts{150.0};
    system.cluster.facility.pue = 1.2;
    system.cluster.device.matmul.sustained.bf16 = FlopPerSecond{80e12};
    // 380 + 387.5 + 140 W, and 0.44 W of the link, as above.
    EXPECT_SOFT_EQ(Joules{(907.94 + 150.0) * 0.5 * 12.0}, energy(system, half_second));
    system.cluster.device.power.per_flop = JoulesPerFlop{1e-12};
    // By component: 0 W idle + 25 J / 0.5 s = 50 W.
    EXPECT_SOFT_EQ(Joules{(50.0 + 150.0) * 0.5 * 12.0}, energy(system, half_second));
    system.cluster.facility.fabric_power = Watts{60.0};
    EXPECT_SOFT_EQ(Joules{(50.0 + 150.0 + 60.0) * 0.5 * 12.0}, energy(system, half_second));
}

/// GB200 NVL72: 120 kW a rack. All parts busy, its devices and hosts draw that much.
TEST(Energy, a_busy_rack_draws_its_rating) {
    hardware::SystemSpec system;
    system.cluster = catalogue_cluster("gb200_nvl72");
    system.cluster.facility.pue = 1.0;
    system.cluster.facility.fabric_power = Watts{};  // beyond the rack
    system.devices = 72;
    const Activity busy{Seconds{1.0}, Flop{1e18}, Bytes{1e15}, Bytes{1e15}};
    EXPECT_SOFT_NEAR(Joules{120e3}, energy(system, busy), 0.01);
}

}  // namespace
}  // namespace dse::model
