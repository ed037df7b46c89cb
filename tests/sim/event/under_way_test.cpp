#include "sim/event/under_way.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/netsim/flow_model.hpp"
#include "dse/sim/event/event_engine.hpp"
#include "dse/sim/fold/folded_engine.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::event {
namespace {

using graph::MeshAxis;
using graph::ValueRef;
using test::SmallGraph;

/// A network on which nobody is in anybody's way: a byte takes a quantum.
class FreeNetwork final : public model::NetworkModel, public model::NetworkPlay {
  public:
    [[nodiscard]] Seconds time(const model::Communication& what) const override {
        return Seconds{what.size.value() * time_quantum};
    }
    [[nodiscard]] std::unique_ptr<NetworkPlay> play(const graph::Mesh& /*mesh*/) const override {
        return std::make_unique<FreeNetwork>();
    }

    Number begin(const graph::Collective& collective, std::span<const std::int64_t> members,
                 double share) override {
        EXPECT_GE(members.size(), 2U);
        EXPECT_TRUE(std::ranges::is_sorted(members));
        return add(collective.size, share);
    }
    Number begin(Bytes size, std::int64_t from, std::int64_t to, double share) override {
        EXPECT_NE(from, to);
        return add(size, share);
    }
    [[nodiscard]] double now() const override { return now_; }
    [[nodiscard]] double next_time() override {
        return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.begin()->first;
    }
    std::span<const Number> advance(double time) override {
        EXPECT_GE(time, now_);
        now_ = time;
        ended_.clear();
        while (!ends_.empty() && ends_.begin()->first == time) {
            ended_.push_back(ends_.begin()->second);
            ends_.erase(ends_.begin());
        }
        return ended_;
    }

  private:
    Number add(Bytes size, double share) {
        ends_.emplace(now_ + std::rint(size.value() * share) * time_quantum, next_);
        return next_++;
    }

    double now_{0};
    Number next_{0};
    std::multimap<double, Number> ends_;
    std::vector<Number> ended_;
};

/// Gives everything that is sent as many bytes as it takes quanta; messages of one direction are alike.
void size_by_time(test::TimedGraph& made) {
    const auto bytes = [](double time) { return Bytes{time / time_quantum}; };
    graph::Graph& graph = made.graph;
    for (std::size_t w = 0; w < graph.works.size(); ++w) {
        auto* collective = std::get_if<graph::Collective>(&graph.works[w]);
        if (collective != nullptr) collective->size = bytes(made.durations.of_work[w].duration);
    }
    const auto resize = [&](graph::WorkId work, std::vector<TransferTime>& times, const TransferTime& one) {
        std::ranges::fill(times, one);
        std::get<graph::Transfer>(graph.works[work.index()]).size = bytes(one.duration);
    };
    const TransferTime one = made.durations.forward.front();
    resize(graph.send_forward, made.durations.forward, one);
    resize(graph.send_backward, made.durations.backward, one);
    if (graph.send_around) resize(*graph.send_around, made.durations.forward, one);
}

TEST(UnderWay, WithoutContentionNothingChanges) {
    // What is only known later is the same as what was known beforehand, to the bit: all schedules, values
    // that are visible early, holds.
    std::size_t shared = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        // Programs that are issued whole: what is issued late cannot begin in the past of a network.
        test::TimedGraph made = test::RandomGraph{seed, {4, 2, 5, 6, 3, 2}}.make();
        size_by_time(made);
        EventEngine engine;
        const Result fixed = engine.play(made.graph, made.durations);
        const FreeNetwork network;
        made.durations.shared = &network;
        const Result open = engine.play(made.graph, made.durations);
        ASSERT_EQ(fixed.iteration_time, open.iteration_time) << seed;
        ASSERT_EQ(fixed.last_stage, open.last_stage) << seed;
        ASSERT_EQ(fixed.stages, open.stages) << seed;
        shared += made.graph.mesh.ranks() > 1 ? 1 : 0;
    }
    EXPECT_GT(shared, 200U);
}

/// The same where kernels slow down beside what is under way, whose ends the network tells.
TEST(UnderWay, WithoutContentionKernelsSlowDownAlike) {
    std::size_t slowed = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        test::TimedGraph made = test::RandomGraph{seed, {4, 2, 5, 6, 3, 2}}.make();
        size_by_time(made);
        EventEngine engine;
        const double alone = engine.play(made.graph, made.durations).iteration_time;
        made.durations.compute_slowdown = 1.5;
        const Result fixed = engine.play(made.graph, made.durations);
        const FreeNetwork network;
        made.durations.shared = &network;
        const Result open = engine.play(made.graph, made.durations);
        ASSERT_EQ(fixed.iteration_time, open.iteration_time) << seed;
        ASSERT_EQ(fixed.stages, open.stages) << seed;
        slowed += fixed.iteration_time > alone ? 1 : 0;
    }
    EXPECT_GT(slowed, 50U);
}

/// Two devices on a switch of 1 GB/s without latency.
hardware::NetworkSpec slow_switch(hardware::Sharing sharing) {
    hardware::NetworkSpec network;
    network.scale_up.link.bandwidth = BytesPerSecond{1e9};
    network.scale_out.link.bandwidth = BytesPerSecond{1e9};
    network.topology.sharing = sharing;
    network.topology.collectives = hardware::Algorithm::ring;
    return network;
}

/// Two ranks that gather 2 GB each on two streams, and then compute for 1 s.
SmallGraph two_gathers(const model::NetworkModel& network, double hold = 0.0) {
    SmallGraph made{3};
    made.graph.mesh.set_degree(MeshAxis::data, 2);
    made.graph.mesh.set_degree(MeshAxis::expert_data, 2);
    graph::Collective gather{graph::CollectiveKind::all_gather, MeshAxis::data, Bytes{2e9}, 1.0};
    const double time = network.collective(gather, made.graph.mesh).value();
    const auto first = made.collective(MeshAxis::data, {time, time, hold * time}, 2e9);
    const auto second = made.collective(MeshAxis::data, {time, time, 0}, 2e9);
    const auto pass = made.region(1,
                                  {SmallGraph::node(first, {}, 1), SmallGraph::node(second, {}, 2),
                                   SmallGraph::node(made.kernel(1), {ValueRef::item(0), ValueRef::item(1)})},
                                  {ValueRef::item(2)});
    made.program(pass, made.pass(0));
    made.finish();
    return made;
}

TEST(UnderWay, CollectivesAtTheSameTimeShareLinks) {
    // Each sends 1 GB over a port of 1 GB/s: 1 s alone, 2 s together; then a kernel of 1 s.
    const netsim::FlowModel alone{slow_switch(hardware::Sharing::collective)};
    SmallGraph made = two_gathers(alone);
    EventEngine engine;
    EXPECT_EQ(engine.play(made.graph, made.durations).iteration_time, 2.0);
    const netsim::FlowModel network{slow_switch(hardware::Sharing::everything)};
    ASSERT_TRUE(network.traits().shares_everything);
    made.durations.shared = &network;
    const Result shared = engine.play(made.graph, made.durations);
    EXPECT_EQ(shared.iteration_time, 3.0);
    EXPECT_EQ(shared.stages[shared.last_stage].compute_time(), 1.0);
    EXPECT_EQ(shared.stages[shared.last_stage].sum(), 3.0);
}

TEST(UnderWay, HoldsStretchWithTheirCollective) {
    // Half of the first gather holds the compute stream: 1 s of the 2 s that it takes now.
    const netsim::FlowModel network{slow_switch(hardware::Sharing::everything)};
    SmallGraph made = two_gathers(network, 0.5);
    made.durations.shared = &network;
    EventEngine engine;
    const Result result = engine.play(made.graph, made.durations);
    EXPECT_EQ(result.iteration_time, 3.0);
    EXPECT_EQ(result.stages[result.last_stage].sum(), 3.0);
}

TEST(UnderWay, FoldedRefusesIt) {
    const netsim::FlowModel network{slow_switch(hardware::Sharing::everything)};
    SmallGraph made = two_gathers(network);
    made.durations.shared = &network;
    fold::FoldedEngine engine;
    EXPECT_THAT([&] { engine.play(made.graph, made.durations); },
                testing::ThrowsMessage<ModelError>(testing::HasSubstr("use engine event")));
}

}  // namespace
}  // namespace dse::sim::event
