#include "dse/sim/fold/memory_summary.hpp"

#include <random>

#include <gtest/gtest.h>

#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::MemoryKind;
using graph::ValueRef;
using test::SmallGraph;

constexpr auto activations = static_cast<std::size_t>(MemoryKind::activations);
constexpr auto workspace = static_cast<std::size_t>(MemoryKind::workspace);

/// +a activations, then +w −w workspace: what one layer does.
MemorySummary layer(double a, double w) {
    MemorySummary summary;
    summary.net[activations] = summary.net_total = a;
    summary.peak = a + w;
    summary.at_peak[activations] = a;
    summary.at_peak[workspace] = w;
    return summary;
}

// (d1, p1) ∘ (d2, p2) = (d1 + d2, max(p1, d1 + p2))
TEST(MemorySummary, Composes) {
    MemorySummary sum = layer(10, 3);
    sum.then(layer(5, 20));
    EXPECT_EQ(sum.net_total, 15.0);
    EXPECT_EQ(sum.peak, 35.0);
    EXPECT_EQ(sum.at_peak[activations], 15.0);
    EXPECT_EQ(sum.at_peak[workspace], 20.0);
    sum.then(layer(-15, 0));
    EXPECT_EQ(sum.net_total, 0.0);
    EXPECT_EQ(sum.peak, 35.0);
}

// n repeats: (n·d, p + max(0, (n − 1)·d)); the peak is in the last one where memory grows, else in the first.
TEST(MemorySummary, Repeats) {
    const MemorySummary growing = layer(10, 3).repeated(4);
    EXPECT_EQ(growing.net_total, 40.0);
    EXPECT_EQ(growing.peak, 43.0);
    EXPECT_EQ(growing.at_peak[activations], 40.0);
    EXPECT_EQ(growing.at_peak[workspace], 3.0);
    EXPECT_EQ(layer(-10, 30).repeated(4).peak, 20.0);
    EXPECT_EQ(layer(-10, 30).repeated(4).net_total, -40.0);
    EXPECT_EQ(layer(10, 3).repeated(0).peak, 0.0);
}

/// The host's memory has moments of its own: +7 −7 of it beside a device that only grows.
TEST(MemorySummary, CountsTheHostApart) {
    MemorySummary away = layer(1, 0);
    away.host_net = away.host_peak = 7;
    MemorySummary back;
    back.host_net = -7;
    MemorySummary sum = away;
    sum.then(away);
    sum.then(back);
    EXPECT_EQ(sum.host_net, 7.0);
    EXPECT_EQ(sum.host_peak, 14.0);
    EXPECT_EQ(sum.peak, 2.0) << "nothing of it is the device's";
    EXPECT_EQ(away.repeated(5).host_peak, 35.0);
    EXPECT_EQ(away.repeated(5).host_net, 35.0);
    EXPECT_EQ(back.repeated(5).host_peak, 0.0);
    EXPECT_EQ(away.repeated(0).host_peak, 0.0);
}

/// Memory that changes kind but not size peaks the first time.
TEST(MemorySummary, KeepsTheFirstOfEqualPeaks) {
    MemorySummary turn = layer(0, 5);
    turn.net[activations] = 1;
    turn.net[workspace] = -1;
    EXPECT_EQ(turn.repeated(3).at_peak, turn.at_peak);
    MemorySummary twice = turn;
    twice.then(turn);
    EXPECT_EQ(twice.at_peak, turn.at_peak);
}

TEST(MemorySummary, RepeatsAsItComposes) {
    std::mt19937_64 random{3};
    std::uniform_int_distribution<int> bytes{-20, 20};
    for (int round = 0; round < 500; ++round) {
        MemorySummary one = layer(bytes(random), 30);
        one.then(layer(bytes(random), 0));
        const int count = 1 + (bytes(random) + 20) / 4;
        MemorySummary sum;
        for (int i = 0; i < count; ++i) sum.then(one);
        const MemorySummary at_once = one.repeated(count);
        EXPECT_EQ(at_once.net, sum.net);
        EXPECT_EQ(at_once.peak, sum.peak);
        EXPECT_EQ(at_once.at_peak, sum.at_peak);
    }
}

// Stage 1 holds 100 resident and stage 0 none; its one forward allocates 7 and frees nothing; the update
// takes 40.
TEST(MemoryFold, FindsTheFullestStage) {
    SmallGraph made;
    made.pipeline(graph::ScheduleKind::gpipe, 2, 3);
    const graph::RegionId forward = made.pass(1);
    made.graph.regions[forward.index()].items[0].allocates = {made.buffer(MemoryKind::activations, 7)};
    const graph::BufferId scratch = made.buffer(MemoryKind::workspace, 40);
    auto step = SmallGraph::node(made.kernel(1));
    step.allocates = step.frees = {scratch};
    const graph::RegionId update = made.region(0, {step}, {});
    const graph::RegionId backward = made.pass(2);
    made.program(forward, backward);
    graph::StageProgram& second = made.program(forward, backward);
    second.resident = {made.buffer(MemoryKind::parameters, 100)};
    second.update = update;
    made.graph.program_of = {0, 1};
    made.finish();

    RegionTable table;
    table.reset(made.graph);
    MemoryFold fold;
    fold.reset(made.graph, table);
    const MemoryPeak peak = fold.peak();
    EXPECT_EQ(peak.stage, 1U);
    EXPECT_EQ(peak.total, 140.0);
    EXPECT_EQ(peak.by_kind[workspace], 40.0);
    EXPECT_EQ(peak.by_kind[activations], 0.0);
}

}  // namespace
}  // namespace dse::sim::fold
