#include "eval/serve/cache_transfer.hpp"

#include <gtest/gtest.h>

#include "eval/serve/served_scenario.hpp"

namespace dse::eval {
namespace {

using hardware::CacheTransfer;

class Transfers : public ::testing::Test {
  protected:
    Transfers() { pools_.prefill.devices = pools_.decode.devices = 8; }

    serving::Ticks time(std::int64_t tokens, serving::Ticks reading) {
        const eval::CacheTransfer transfer{*played_.machine().network, pools_, 1e5, state_bytes_, 80};
        return transfer(tokens, reading);
    }

    PlayedScenario played_;
    hardware::PoolsSpec pools_;
    double state_bytes_{0.0};
};

/// 1 GB through a port of 50 GB/s: 20 ms and what the network adds to it.
TEST_F(Transfers, GoThroughTheNetwork) {
    pools_.transfer = CacheTransfer::whole;
    const double seconds = serving::to_seconds(time(10'000, 0));
    EXPECT_GE(seconds, 0.020);
    EXPECT_LE(seconds, 0.030);
}

/// A state of 500 MB is as long on its way as the cache of 5,000 tokens of 100 kB.
TEST_F(Transfers, IncludeStates) {
    pools_.transfer = CacheTransfer::whole;
    const serving::Ticks longer = time(10'000, 0);
    state_bytes_ = 5e8;
    EXPECT_EQ(time(5'000, 0), longer);
}

/// Behind the prompt lies a layer's, or what was not sent while it was read.
TEST_F(Transfers, GoLayerByLayer) {
    pools_.transfer = CacheTransfer::whole;
    const serving::Ticks whole = time(10'000, 0);
    const serving::Ticks layer = time(125, 0);
    pools_.transfer = CacheTransfer::layers;
    EXPECT_EQ(time(10'000, 2 * whole), layer);
    EXPECT_EQ(time(10'000, whole / 2), whole - whole / 2);
}

}  // namespace
}  // namespace dse::eval
