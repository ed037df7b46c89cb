#include "dse/hardware/network/network_prices_spec.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/network/network_spec.hpp"
#include "hardware/problem_keys.hpp"
#include "support/soft_equal.hpp"

namespace dse::hardware {
namespace {

constexpr Seconds hour{3600.0};

NetworkSpec priced() {
    NetworkSpec network;
    network.scale_up.link.bandwidth = BytesPerSecond{900e9};
    network.scale_up.domain = 32;
    network.scale_out.link.bandwidth = BytesPerSecond{25e9};
    NetworkPricesSpec& prices = network.prices;
    prices.scale_up_rate = BytesPerSecond{450e9};
    prices.scale_up = Dollars{0.10} / hour;
    prices.scale_up_doubling = Dollars{0.02} / hour;
    prices.scale_out_rate = BytesPerSecond{50e9};
    prices.nic = Dollars{0.10} / hour;
    prices.port = Dollars{0.04} / hour;
    prices.optics = Dollars{0.06} / hour;
    return network;
}

TEST(NetworkPrices, grow_with_bandwidth_and_domain) {
    // Twice the rate, two doublings of a node of 8: 2 (0.10 + 2 x 0.02); half the rate, one port of the leaf
    // and two of the next tier: (0.10 + 3 x 0.10) / 2.
    EXPECT_SOFT_EQ(Dollars{0.28 + 0.20} / hour, network_rent(priced(), 8));
    // A domain that is smaller than a node costs what a node does.
    EXPECT_SOFT_EQ(Dollars{0.20 + 0.20} / hour, network_rent(priced(), 64));
}

TEST(NetworkPrices, follow_the_tree_of_switches) {
    NetworkSpec network = priced();
    // A fourth of the ports beyond the leaf: 1 + 2 / 4 of them.
    network.scale_out.oversubscription = 4.0;
    EXPECT_SOFT_EQ(Dollars{0.20 + 0.125} / hour, network_rent(network, 64));
    network.prices.tiers = 1;
    EXPECT_SOFT_EQ(Dollars{0.20 + 0.10} / hour, network_rent(network, 64));
}

TEST(NetworkPrices, are_nothing_unless_stated) {
    NetworkSpec network = priced();
    network.prices = {};
    EXPECT_EQ(DollarsPerSecond{}, network_rent(network, 8));
}

TEST(NetworkPrices, need_the_bandwidth_that_they_are_for) {
    NetworkSpec network = priced();
    EXPECT_TRUE(problems_of(network.prices).empty());
    network.prices.scale_out_rate = BytesPerSecond{};
    network.prices.scale_up_rate = BytesPerSecond{};
    EXPECT_EQ(keys(problems_of(network.prices)), (Keys{"scale_out_rate", "scale_up_rate"}));
}

}  // namespace
}  // namespace dse::hardware
