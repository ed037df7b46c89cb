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

TEST(Utilization, is_the_share_of_the_peaks) {
    const Utilization busy =
        utilization(half_second, system_of_ten().cluster.device, system_of_ten().cluster.network);
    EXPECT_SOFT_EQ(0.5, busy.compute);
    EXPECT_SOFT_EQ(0.2, busy.memory);
    EXPECT_SOFT_EQ(0.1, busy.network);
}

TEST(Utilization, refuses_a_format_that_the_device_lacks) {
    Activity activity = half_second;
    activity.precision = graph::Precision::fp8;
    const hardware::SystemSpec system = system_of_ten();
    try {
        static_cast<void>(utilization(activity, system.cluster.device, system.cluster.network));
        FAIL();
    } catch (const ModelError& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("no matrix unit for fp8, of which workload.precision says"), std::string::npos);
        EXPECT_NE(said.find("it has fp32, bf16"), std::string::npos) << said;
    }
}

TEST(PowerByUtilization, has_the_weights_of_its_source) {
    hardware::PowerSpec power;
    power.tdp = Watts{1000.0};
    // .30 + .40·.5 + .20·.2 + .10·.1
    EXPECT_SOFT_EQ(Watts{550.0}, power_by_utilization(power, {0.5, 0.2, 0.1}));
    EXPECT_SOFT_EQ(Watts{300.0}, power_by_utilization(power, {}));
    EXPECT_SOFT_EQ(Watts{1000.0}, power_by_utilization(power, {1.0, 1.0, 1.0}));
}

TEST(PowerByUtilization, starts_at_the_stated_idle_power) {
    hardware::PowerSpec power;
    power.tdp = Watts{800.0};
    power.idle = Watts{100.0};
    EXPECT_SOFT_EQ(Watts{100.0}, power_by_utilization(power, {}));
    // 100 + 700·4/7
    EXPECT_SOFT_EQ(Watts{500.0}, power_by_utilization(power, {1.0, 0.0, 0.0}));
}

TEST(PowerByUtilization, is_unknown_without_a_limit) {
    EXPECT_TRUE(std::isnan(power_by_utilization({}, {1.0, 1.0, 1.0}).value()));
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
    // (550 + 150) W · 0.5 s · 10 · 1.2
    EXPECT_SOFT_EQ(Joules{4200.0}, energy(system, half_second));
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
