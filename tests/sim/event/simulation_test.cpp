// Also tests: event/activity.cpp, event/accounts.cpp, event/event_engine.cpp, event/rank.cpp, event/stuck.cpp
#include "sim/event/simulation.hpp"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/sim/event/event_engine.hpp"
#include "support/layer_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::event {
namespace {

using graph::MeshAxis;
using graph::RegionId;
using graph::ScheduleKind;
using graph::ValueRef;
using test::SmallGraph;

// Two stages, one microbatch, F = 1, B = 2; then an all-reduce of 1 between the stages on the compute stream,
// and one more kernel of 1 in stage 1:
//   stage 0: F 0–1, B 4–6, all-reduce 6–7
//   stage 1: F 1–2, B 2–4, waits for stage 0 until 6, all-reduce 6–7, kernel 7–8
TEST(EventEngine, PlaysCollectivesAcrossStages) {
    SmallGraph made;
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1);
    const RegionId forward = made.pass(1);
    const RegionId backward = made.pass(2);
    const graph::WorkId reduce = made.collective(MeshAxis::pipeline, 1);
    made.program(forward, backward).finish = made.region(0, {SmallGraph::node(reduce)}, {});
    made.program(forward, backward).finish =
        made.region(0, {SmallGraph::node(reduce), SmallGraph::node(made.kernel(1))}, {});
    made.graph.program_of = {0, 1};
    made.finish();
    EventEngine engine;
    const Result result = engine.play(made.graph, made.durations);
    EXPECT_EQ(result.iteration_time, 8.0);
    EXPECT_EQ(result.last_stage, 1U);
    EXPECT_EQ(result.stages[result.last_stage].compute_time(), 4.0);
    EXPECT_EQ(result.stages[result.last_stage].bubble, 1.0);
    EXPECT_EQ(result.stages[result.last_stage].imbalance, 2.0);
    EXPECT_EQ(result.stages[result.last_stage].communication[graph::AxisSet{MeshAxis::pipeline}.bits()], 1.0);
    EXPECT_EQ(result.stages[result.last_stage].sum(), 8.0);
}

TEST(EventEngine, NamesRanksWhoseCollectivesDisagree) {
    SmallGraph made;
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1);
    const RegionId forward = made.pass(1);
    const RegionId backward = made.pass(2);
    const sim::NodeTime time{1, 1, 0};
    made.program(forward, backward).finish =
        made.region(0, {SmallGraph::node(made.collective(MeshAxis::pipeline, time, 8))}, {});
    made.program(forward, backward).finish =
        made.region(0, {SmallGraph::node(made.collective(MeshAxis::pipeline, time, 16))}, {});
    made.graph.program_of = {0, 1};
    made.finish();
    EventEngine engine;
    try {
        engine.play(made.graph, made.durations);
        FAIL() << "no error";
    } catch (const ContractViolation& error) {
        EXPECT_NE(std::string{error.what()}.find("ranks 0 and 1 disagree"), std::string::npos)
            << error.what();
        EXPECT_NE(std::string{error.what()}.find("16"), std::string::npos) << error.what();
    }
}

TEST(EventEngine, NamesWhoMissesAtACollective) {
    SmallGraph made;
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1);
    const RegionId forward = made.pass(1);
    const RegionId backward = made.pass(2);
    made.program(forward, backward).finish =
        made.region(0, {SmallGraph::node(made.collective(MeshAxis::pipeline, 1))}, {});
    made.program(forward, backward);
    made.graph.program_of = {0, 1};
    made.finish();
    EventEngine engine;
    try {
        engine.play(made.graph, made.durations);
        FAIL() << "no deadlock";
    } catch (const ModelError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("rank 0 (stage 0)"), std::string::npos) << what;
        EXPECT_NE(what.find("all_gather pp"), std::string::npos) << what;
        EXPECT_NE(what.find("1 of 2 ranks"), std::string::npos) << what;
        EXPECT_NE(what.find("rank 1 has ended without it"), std::string::npos) << what;
    }
}

TEST(EventEngine, VisitsEveryNodeOfEveryRank) {
    const test::LayerGraph made{{2, 3, 4, 2}};
    EventEngine engine;
    // 4 ranks × (2 passes × 3 microbatches × (4 × 26 + 1) + update + finish)
    EXPECT_EQ(engine.play(made.graph, made.durations).node_visits, 4U * (2U * 3U * (4U * 26U + 1U) + 2U));
}

TEST(Simulation, KeepsRanksOfAStageAlike) {
    const test::LayerGraph made{{2, 4, 2, 4}};
    Simulation simulation{made.graph, made.durations, Asked::For::time};
    simulation.run();
    ASSERT_EQ(simulation.ranks().size(), 8U);
    for (const Rank& rank : simulation.ranks()) {
        const Rank& first = simulation.ranks()[rank.stage == 0 ? 0 : 4];
        EXPECT_EQ(first.stage, rank.stage);
        EXPECT_EQ(simulation.last_stream(rank).time, simulation.last_stream(first).time);
        EXPECT_EQ(rank.parts, first.parts);
        EXPECT_TRUE(rank.unstarted.empty());
    }
}

TEST(TimeOf, FollowsFromTheStart) {
    Activity activity;
    activity.start = 10;
    activity.time = {4, 3, 2};
    activity.compute_until = 12;
    EXPECT_EQ(time_of(activity, Signal::value), 13.0);
    EXPECT_EQ(time_of(activity, Signal::stream), 14.0);
    EXPECT_EQ(time_of(activity, Signal::arrived), 14.0);
    EXPECT_EQ(time_of(activity, Signal::compute), 12.0);
    EXPECT_EQ(time_of(activity, Signal::started), 10.0);
    activity.history = std::make_unique<History>();
    EXPECT_EQ(blame_of(activity, Signal::arrived).culprits[1].who, Cause::bubble());
}

// A wait from 2 to 10 for a gather since 7, after a message since 5, after bubble: 3, 2 and 3.
TEST(Charge, FollowsTheChain) {
    const Culprits culprits{Culprit{7, Cause::communication(MeshAxis::data)}, Culprit{5, Cause::message()},
                            Culprit{0, Cause::bubble()}};
    Parts parts;
    Waits waits;
    charge(2, 10, culprits, parts, &waits);
    EXPECT_EQ(parts.communication[graph::AxisSet{MeshAxis::data}.bits()], 3.0);
    EXPECT_EQ(parts.message, 2.0);
    EXPECT_EQ(parts.bubble, 3.0);
    EXPECT_THAT(waits.stretches(), ::testing::ElementsAre(Waits::Stretch{2, 7}));
    charge(8, 10, culprits, parts, nullptr);
    EXPECT_EQ(parts.communication[graph::AxisSet{MeshAxis::data}.bits()], 5.0);
    charge(10, 10, culprits, parts, nullptr);
    EXPECT_EQ(parts.sum(), 10.0);
}

}  // namespace
}  // namespace dse::sim::event
