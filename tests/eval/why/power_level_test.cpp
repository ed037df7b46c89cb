#include "dse/eval/why/power_level.hpp"

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

/// A kernel of 30 FLOP and 20 B, and a collective of 40 B.
graph::Graph kernel_and_collective() {
    graph::Graph graph;
    graph::Compute kernel;
    kernel.executed_flop = Flop{30.0};
    kernel.read = Bytes{15.0};
    kernel.written = Bytes{5.0};
    graph::Collective collective;
    collective.size = Bytes{40.0};
    graph.works = {kernel, collective};
    return graph;
}

hardware::DeviceSpec hundred_watts() {
    hardware::DeviceSpec device;
    device.peak.bf16 = FlopPerSecond{1e12};
    device.power.tdp = Watts{100.0};
    device.power.active = Watts{10.0};
    device.power.per_flop = JoulesPerFlop{2.0};
    device.power.per_memory_byte = JoulesPerByte{1.0};
    device.power.per_link_byte = JoulesPerByte{0.5};
    return device;
}

using Samples = std::vector<std::pair<double, double>>;

Samples samples_of(const sim::Track& track) {
    Samples samples;
    for (const sim::Track::Sample& sample : track.samples) samples.emplace_back(sample.time, sample.value);
    return samples;
}

sim::Timeline both_at_work() {
    sim::Timeline timeline{0, {"compute", "dp"}, {}, 9};
    timeline.spans.push_back({0, 1, 5, 1, graph::WorkId{std::size_t{0}}, {}, {}, sim::Span::Phase::task});
    timeline.spans.push_back({1, 3, 7, 3, graph::WorkId{std::size_t{1}}, {}, {}, sim::Span::Phase::task});
    return timeline;
}

// In units of half a second: 80 J in 2 s are 40 W from 1 to 5, 20 J in 2 s are 10 W from 3 to 7.
TEST(PowerLevel, IsThatOfWhatIsUnderWay) {
    const auto track = power_level(both_at_work(), kernel_and_collective(), hundred_watts(), 0.5);
    ASSERT_TRUE(track);
    EXPECT_EQ(track->unit, "watts");
    EXPECT_EQ(samples_of(*track), (Samples{{0, 10}, {1, 50}, {3, 60}, {5, 20}, {7, 10}}));
}

// A tenth of the time: 400 W and 100 W, of which the limit leaves 100.
TEST(PowerLevel, StaysWithinTheLimit) {
    const auto track = power_level(both_at_work(), kernel_and_collective(), hundred_watts(), 0.05);
    ASSERT_TRUE(track);
    EXPECT_EQ(samples_of(*track), (Samples{{0, 10}, {1, 100}, {3, 100}, {5, 100}, {7, 10}}));
}

TEST(PowerLevel, IsUnknownWithoutTheEnergyOfAnOperation) {
    hardware::DeviceSpec device = hundred_watts();
    device.power.per_flop = JoulesPerFlop{};
    EXPECT_FALSE(power_level(both_at_work(), kernel_and_collective(), device, 1.0));
}

}  // namespace
}  // namespace dse::eval
