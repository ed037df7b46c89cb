#include "eval/serve/pool_scenario.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "eval/serve/served_scenario.hpp"

namespace dse::eval {
namespace {

study::Scenario two_pools() {
    study::Scenario scenario = served_scenario();
    scenario.system.devices = 12;
    scenario.system.pools.prefill.devices = 4;
    scenario.system.pools.prefill.tp = 2;
    scenario.system.pools.decode.devices = 8;
    scenario.system.pools.decode.ep = 8;
    scenario.system.pools.decode.attention_dp = 8;
    return scenario;
}

TEST(PoolScenario, IsASystemOfItsOwn) {
    const study::Scenario whole = two_pools();
    const study::Scenario prefill = pool_scenario(whole, Pool::prefill);
    EXPECT_EQ(prefill.system.devices, 4);
    EXPECT_EQ(prefill.workload.layout.tp, 2);
    EXPECT_FALSE(prefill.system.pools.exist());
    const study::Scenario decode = pool_scenario(whole, Pool::decode);
    EXPECT_EQ(decode.system.devices, 8);
    EXPECT_EQ(decode.workload.engine.attention_dp, 8);
    EXPECT_EQ(decode.workload.layout.etp, 1) << "8 ranks share the experts, each whole";
}

/// Ranks 4 to 11 have another device: the pool that decodes; with one less they are mixed.
TEST(PoolScenario, HasTheDevicesOfItsRanks) {
    study::Scenario whole = two_pools();
    hardware::DeviceClassSpec other;
    other.device = whole.system.cluster.device;
    other.device.name = "another";
    other.ranks = {8, 4, 1};
    whole.system.device_classes.push_back(other);
    EXPECT_EQ(pool_scenario(whole, Pool::decode).system.cluster.device.name, "another");
    EXPECT_EQ(pool_scenario(whole, Pool::prefill).system.cluster.device.name,
              whole.system.cluster.device.name);
    whole.system.device_classes[0].ranks.number = 7;
    EXPECT_THROW(pool_scenario(whole, Pool::decode), ModelError);
}

}  // namespace
}  // namespace dse::eval
