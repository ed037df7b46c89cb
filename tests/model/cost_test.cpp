#include "dse/model/cost.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

TEST(Cost, is_the_rent_of_all_devices) {
    hardware::SystemSpec system;
    system.devices = 1000;
    system.cluster.device.price = Dollars{3.6} / Seconds{3600.0};
    // 0.001 USD a second and device
    EXPECT_SOFT_EQ(Dollars{5.0}, cost(system, Seconds{5.0}, Joules{1e9}));
}

TEST(Cost, adds_the_rent_of_a_network_that_has_prices) {
    hardware::SystemSpec system;
    system.devices = 1000;
    system.cluster.device.price = Dollars{3.6} / Seconds{3600.0};
    system.cluster.network.scale_out.link.bandwidth = BytesPerSecond{100e9};
    system.cluster.network.prices.scale_out_rate = BytesPerSecond{50e9};
    system.cluster.network.prices.nic = Dollars{0.36} / Seconds{3600.0};
    // Twice 0.0001 USD a second and device more
    EXPECT_SOFT_EQ(Dollars{6.0}, cost(system, Seconds{5.0}, Joules{1e9}));
}

TEST(Cost, adds_electricity_where_the_rent_leaves_it_out) {
    hardware::SystemSpec system;
    system.devices = 1000;
    system.cluster.device.price = Dollars{3.6} / Seconds{3600.0};
    system.cluster.facility.electricity_price = Dollars{0.072} / Joules{3.6e6};
    // 1 GJ at 2e-8 USD/J
    EXPECT_SOFT_EQ(Dollars{25.0}, cost(system, Seconds{5.0}, Joules{1e9}));
    system.cluster.device.price = DollarsPerSecond{};
    EXPECT_SOFT_EQ(Dollars{20.0}, cost(system, Seconds{5.0}, Joules{1e9}));
}

TEST(Cost, is_unknown_without_a_price) {
    EXPECT_TRUE(std::isnan(cost({}, Seconds{5.0}, Joules{1e9}).value()));
}

}  // namespace
}  // namespace dse::model
