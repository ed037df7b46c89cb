// Also tests: fold/region_memo.cpp, fold/entry_use.cpp
#include "dse/sim/fold/region_player.hpp"

#include <gtest/gtest.h>

#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::MeshAxis;
using graph::RegionId;
using graph::ValueRef;
using test::SmallGraph;

class CountingObserver final : public NodeObserver {
  public:
    void on_node(const graph::Item&, RegionId, double, double, double) override { ++nodes; }
    void on_loss(const graph::Item&, RegionId, double, double) override {}
    int nodes{0};
};

Arrival at(double time) {
    return {time, {Link{time, Cause::idle()}, {}, {}}};
}

TEST(RegionPlayer, PlaysARegionOnceForEachStateUpToAShift) {
    SmallGraph made{2};
    const RegionId region =
        made.region(1,
                    {SmallGraph::node(made.kernel(1), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::data, 4), {ValueRef::item(0)}, 1)},
                    {ValueRef::item(0)});
    made.program(made.pass(1), made.pass(1));
    RegionTable table;
    table.reset(made.graph);
    RegionPlayer player;
    player.reset(made.graph, made.durations, table, nullptr);

    Parts parts;
    std::vector<Arrival> out(1);
    const auto play = [&](double compute, double stream, double port) {
        std::vector<Arrival> streams{at(compute), at(stream)};
        const std::vector<Arrival> ports{at(port)};
        player.play(region, 0, streams, ports, out, parts);
        return streams[1].time;
    };
    EXPECT_EQ(play(0, 0, 0), 5.0);
    EXPECT_EQ(player.node_visits(), 2U);
    EXPECT_EQ(play(100, 90, 7), 105.0);    // early streams and values are all the same
    EXPECT_EQ(play(100, 20, 110), 115.0);  // waits for the port first
    EXPECT_EQ(player.node_visits(), 2U);
    EXPECT_EQ(play(200, 208, 200), 212.0);  // a busy stream is another state
    EXPECT_EQ(player.node_visits(), 4U);
    EXPECT_EQ(parts.compute_time(), 4.0);
    EXPECT_EQ(parts.idle, 10.0);
}

TEST(RegionPlayer, StopsPlayingARepeatThatHasComeToACycle) {
    for (const std::int64_t layers : {20LL, 1000LL}) {
        const test::LayerGraph made{{1, 1, layers}};
        RegionTable table;
        table.reset(made.graph);
        RegionPlayer player;
        player.reset(made.graph, made.durations, table, nullptr);
        std::vector<Arrival> streams(3);
        std::vector<Arrival> out(1);
        Parts parts;
        player.play(RegionId{1}, 0, streams, std::vector<Arrival>{Arrival::none()}, out, parts);
        EXPECT_LT(player.node_visits(), 6U * 26U);
        EXPECT_EQ(parts.sum(), streams[0].time);
    }
}

/// With an observer every node is played, and everything comes out the same.
TEST(RegionPlayer, RemembersNothingWrong) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {1, 1, 1, 8, 30, 1}}.make();
        const RegionId region = made.graph.programs[0].chunks[0].forward;
        RegionTable table;
        table.reset(made.graph);
        CountingObserver observer;
        RegionPlayer memo;
        RegionPlayer every_node;
        memo.reset(made.graph, made.durations, table, nullptr);
        every_node.reset(made.graph, made.durations, table, &observer);
        std::vector<Arrival> a(made.graph.streams.size());
        std::vector<Arrival> b = a;
        Parts a_parts;
        Parts b_parts;
        std::vector<Arrival> a_out(made.graph.regions[region.index()].outputs.size());
        std::vector<Arrival> b_out = a_out;
        for (int turn = 0; turn < 6; ++turn) {
            memo.play(region, 0, a, std::vector<Arrival>{at(turn * 0x1p-10)}, a_out, a_parts);
            every_node.play(region, 0, b, std::vector<Arrival>{at(turn * 0x1p-10)}, b_out, b_parts);
            for (std::size_t s = 0; s < a.size(); ++s) EXPECT_EQ(a[s].time, b[s].time);
            for (std::size_t k = 0; k < a_out.size(); ++k) EXPECT_EQ(a_out[k].time, b_out[k].time);
            EXPECT_EQ(a_parts, b_parts);
        }
        EXPECT_LE(memo.node_visits(), every_node.node_visits());
        EXPECT_EQ(every_node.node_visits(), static_cast<std::uint64_t>(observer.nodes));
    }
}

TEST(RegionMemo, ForgetsTheOldest) {
    RegionMemo memo;
    memo.reset(1, 1);
    const std::vector<Arrival> first{at(-1)};
    const std::uint64_t number = memo.insert(first, first, Parts{}, Waits{});
    EXPECT_EQ(memo.find(first), number);
    for (int i = 0; i < 31; ++i) memo.insert(std::vector<Arrival>{at(i)}, first, Parts{}, Waits{});
    EXPECT_EQ(memo.find(first), number);
    const std::vector<Arrival> one_more{at(31)};
    const std::uint64_t last = memo.insert(one_more, one_more, Parts{}, Waits{});
    EXPECT_EQ(memo.find(first), RegionMemo::none);
    EXPECT_EQ(memo.at(last).exit[0].time, 31.0);
    memo.reset(1, 1);
    EXPECT_EQ(memo.find(one_more), RegionMemo::none);
}

class EntryUseTest : public ::testing::Test {
  protected:
    const EntryUse& use_of(const SmallGraph& made, RegionId region) {
        table_.reset(made.graph);
        uses_.reset(made.graph, made.durations, table_);
        return uses_.of(region, 0);
    }
    RegionTable table_;
    EntryUses uses_;
};

// A gather on stream 1 for port 1 may start before the entry; one on stream 2 waits for a kernel; port 2
// leaves as it came; port 3 is not used.
TEST_F(EntryUseTest, FindsWhatMayStartBeforeTheEntry) {
    SmallGraph made{4};
    const RegionId region =
        made.region(4,
                    {SmallGraph::node(made.collective(MeshAxis::data, 1), {ValueRef::port(1)}, 1),
                     SmallGraph::node(made.kernel(1), {ValueRef::port(0)}),
                     SmallGraph::node(made.collective(MeshAxis::data, 1), {ValueRef::item(1)}, 2)},
                    {ValueRef::item(2), ValueRef::port(2), ValueRef::item(0)});
    made.program(made.pass(1), made.pass(1));
    const EntryUse& use = use_of(made, region);
    EXPECT_EQ(use.used_streams, 0b0111U);
    EXPECT_EQ(use.early_streams, 0b0010U);
    EXPECT_EQ(use.used_ports, 0b0111U);
    EXPECT_EQ(use.early_ports, 0b0110U);
    EXPECT_EQ(use.guards[1], 0b0010U);
    EXPECT_EQ(use.guards[2], 0U);
    EXPECT_EQ(use.late_outputs, 0b001U);
    EXPECT_TRUE(use.begins_with_ports);
    ASSERT_EQ(use.first_port_count, 1U);
    EXPECT_EQ(use.first_ports[0], 0U);
}

TEST_F(EntryUseTest, LooksThroughRepeats) {
    SmallGraph made{2};
    const RegionId body =
        made.region(2,
                    {SmallGraph::node(made.kernel(1), {ValueRef::port(1)}),
                     SmallGraph::node(made.collective(MeshAxis::data, 1), {ValueRef::port(0)}, 1)},
                    {ValueRef::item(1), ValueRef::item(0)});
    const RegionId region = made.region(
        2, {SmallGraph::repeat(body, 0, {ValueRef::port(1), ValueRef::port(0)})}, {ValueRef::item(0)});
    made.program(made.pass(1), made.pass(1), {5});
    const EntryUse& use = use_of(made, region);
    EXPECT_EQ(use.early_ports, 0b10U);
    EXPECT_EQ(use.early_streams, 0b10U);
    EXPECT_EQ(use.guards[1], 0b10U);  // the body's port 0 is the region's port 1
    EXPECT_TRUE(use.begins_with_ports);
    EXPECT_EQ(use.first_ports[0], 0U);

    made.graph.programs[0].counts = {0};
    EXPECT_EQ(use_of(made, region).early_ports, 0b11U);  // both leave as they came
    EXPECT_EQ(use_of(made, region).used_streams, 0U);
    EXPECT_FALSE(use_of(made, region).begins_with_ports);
}

}  // namespace
}  // namespace dse::sim::fold
