#include "dse/hardware/pools_spec.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/hardware/system_spec.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(PoolsSpec, thereAreNoneUnlessItIsSaid) {
    EXPECT_FALSE(PoolsSpec{}.exist());
    PoolsSpec pools;
    EXPECT_EQ(
        errors_of("prefill: {devices: 8, tp: 4}\ndecode: {devices: 16, attention_dp: 8}\ntransfer: whole\n",
                  pools),
        "");
    EXPECT_TRUE(pools.exist());
    EXPECT_EQ(pools.transfer, CacheTransfer::whole);
    EXPECT_EQ(pools.first_token, FirstToken::prefill);
    EXPECT_EQ(pools.prefill_ranks, PrefillRanks::turns);
    EXPECT_EQ(errors_of("prefill_ranks: random\n", pools), "");
    EXPECT_EQ(pools.prefill_ranks, PrefillRanks::random);
    EXPECT_TRUE(problems_of(pools).empty());
}

TEST(PoolsSpec, devicesAreWholeWorkers) {
    PoolsSpec pools;
    pools.prefill.devices = 6;
    pools.prefill.tp = 4;
    EXPECT_EQ(keys(problems_of(pools)), (Keys{"prefill.devices", "decode.devices"}));
}

/// 8 and 8 of 16.
TEST(PoolsSpec, devicesAreThoseOfTheSystem) {
    SystemSpec system;
    system.pools.prefill.devices = system.pools.decode.devices = 8;
    system.devices = 16;
    const auto pools = [&] {
        const Keys all = keys(problems_of(system));
        return std::count(all.begin(), all.end(), "pools");
    };
    EXPECT_EQ(pools(), 0);
    system.devices = 17;
    EXPECT_EQ(pools(), 1);
}

}  // namespace
}  // namespace dse::hardware
