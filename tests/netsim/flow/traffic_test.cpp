#include "dse/netsim/flow/traffic.hpp"

#include <array>

#include <gtest/gtest.h>

#include "dse/base/time_quantum.hpp"
#include "netsim/flow/machines.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::TopologyKind;

constexpr double tolerance = 4 * time_quantum;

struct World {
    explicit World(const hardware::NetworkSpec& network, std::int64_t devices)
        : fabric{build_fabric(network, devices)}, traffic{fabric, network.topology} {}
    Fabric fabric;
    Traffic traffic;
};

TEST(Traffic, AMessageIsLatencyAndBandwidth) {
    World world{test::flat_network(TopologyKind::two_level), 4};
    const CollectivePlan plan = plan_message();
    world.traffic.start({&plan, Bytes{1e6}, 1, Seconds{1e-6}}, std::array<std::int64_t, 2>{0, 1});
    // 1 us launch, twice half of 8 us, 1 MB at 10 GB/s.
    EXPECT_NEAR(world.traffic.drain().value(), 1e-6 + 8e-6 + 100e-6, tolerance);
}

TEST(Traffic, MessagesToOneDeviceShareItsPort) {
    // 3 to 1: each of 1 MB at a third of 10 GB/s.
    World world{test::flat_network(TopologyKind::two_level), 4};
    const CollectivePlan plan = plan_message();
    for (std::int64_t from = 1; from < 4; ++from) {
        world.traffic.start({&plan, Bytes{1e6}}, std::array<std::int64_t, 2>{from, 0});
    }
    EXPECT_NEAR(world.traffic.drain().value(), 8e-6 + 300e-6, tolerance);
}

TEST(Traffic, RunsEndWhenTheirLastMessageDoes) {
    World world{test::flat_network(TopologyKind::two_level), 4};
    const CollectivePlan plan = plan_message();
    const RunId shorter = world.traffic.start({&plan, Bytes{1e6}}, std::array<std::int64_t, 2>{0, 1});
    const RunId longer = world.traffic.start({&plan, Bytes{2e6}}, std::array<std::int64_t, 2>{2, 3});
    EXPECT_TRUE(world.traffic.advance(world.traffic.next_time()).empty());  // both enter
    const auto first = world.traffic.advance(world.traffic.next_time());
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0], shorter);
    const auto second = world.traffic.advance(world.traffic.next_time());
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0], longer);
    EXPECT_NEAR(world.traffic.now(), 8e-6 + 200e-6, tolerance);
}

/// Two levels of 4 × 4: scatter inside, all-reduce across, gather inside.
CollectivePlan two_levels() {
    const Level level{4, hardware::DimensionKind::switched, false, hardware::Algorithm::ring};
    return plan_collective(graph::CollectiveKind::all_reduce, std::array{level, level});
}

TEST(Traffic, ChunksFollowOneAnother) {
    // Inside: 3/4 of the vector at 100 GB/s, 3 messages of 2 us. Across: 2 · 3/4 of a quarter at 10 GB/s, 6
    // messages of 8 us. Scatter and gather run beside the exchange of other chunks, and overlap each other
    // nowhere: with C chunks of S/C the exchanges stand one behind the other between the first chunk's
    // scatter and the last one's gather.
    const CollectivePlan plan = two_levels();
    std::vector<std::int64_t> members(16);
    for (std::size_t i = 0; i < 16; ++i) members[i] = static_cast<std::int64_t>(i);
    constexpr double size = 64e6;
    const double inside = 0.75 * size / 100e9;
    const double across = 1.5 * size / 4.0 / 10e9;
    const double latency = 2 * 6e-6 + 48e-6;
    for (const std::int64_t chunks : {1, 2, 8}) {
        World world{test::small_network(), 16};
        world.traffic.start({&plan, Bytes{size}, chunks}, members);
        const auto c = static_cast<double>(chunks);
        EXPECT_NEAR(world.traffic.drain().value(), latency + 2 * inside / c + across, 20 * time_quantum);
    }
}

TEST(Traffic, APartOfACollectiveTakesThatPartOfItsTime) {
    const CollectivePlan plan = two_levels();
    std::vector<std::int64_t> members(16);
    for (std::size_t i = 0; i < 16; ++i) members[i] = static_cast<std::int64_t>(i);
    const auto time = [&](double share) {
        World world{test::small_network(), 16};
        world.traffic.start({&plan, Bytes{8e6 * share}, 4, Seconds{5e-6 * share}, share}, members);
        return world.traffic.drain().value();
    };
    EXPECT_NEAR(time(0.25), 0.25 * time(1.0), 40 * time_quantum);
}

TEST(Traffic, DrainsAgainAndAgain) {
    World world{test::small_network(), 16};
    const CollectivePlan plan = two_levels();
    std::vector<std::int64_t> members(16);
    for (std::size_t i = 0; i < 16; ++i) members[i] = static_cast<std::int64_t>(i);
    double first = 0.0;
    for (int k = 0; k < 3; ++k) {
        world.traffic.start({&plan, Bytes{1e6}, 2}, members);
        const double time = world.traffic.drain().value();
        if (k == 0) first = time;
        EXPECT_EQ(time, first);
    }
}

}  // namespace
}  // namespace dse::netsim::flow
