// Also tests: fold/abreast.cpp, fold/abreast_steps.cpp
#include "dse/sim/fold/abreast_player.hpp"

#include <random>

#include <gtest/gtest.h>

#include "dse/sim/fold/folded_engine.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim::fold {
namespace {

/// The same with some times twice as long. None comes or goes: messages hold the same senders.
Durations with_some_doubled(Durations durations, std::uint64_t seed) {
    std::mt19937_64 random{seed};
    const auto factor = [&random] { return random() % 2 == 0 ? 2.0 : 1.0; };
    for (NodeTime& time : durations.of_work) {
        const double by = factor();
        time = {by * time.duration, by * time.visible, by * time.hold};
    }
    for (auto* messages : {&durations.forward, &durations.backward}) {
        for (TransferTime& time : *messages) {
            const double by = factor();
            time = {by * time.duration, by * time.hold};
        }
    }
    durations.barrier *= factor();
    return durations;
}

/// \return how many were played abreast
std::size_t expect_each_as_by_itself(const graph::Graph& graph, const Durations& durations,
                                     std::size_t count) {
    std::vector<Durations> all{durations};
    while (all.size() < count) all.push_back(with_some_doubled(durations, all.size()));
    std::vector<const Durations*> pointers;
    for (const Durations& each : all) pointers.push_back(&each);
    FoldedEngine engine;
    const std::vector<std::optional<Result>> results = engine.play_abreast(graph, pointers);
    EXPECT_EQ(results.size(), count);
    std::size_t played = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i]) continue;
        ++played;
        const Result alone = engine.play(graph, all[i], {Asked::For::time});
        EXPECT_EQ(results[i]->iteration_time, alone.iteration_time) << i;
        EXPECT_EQ(results[i]->last_stage, alone.last_stage) << i;
        EXPECT_FALSE(results[i]->parts);
    }
    return played;
}

TEST(AbreastPlayer, PlaysRandomGraphsAsEachIsPlayedByItself) {
    std::size_t played = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = test::RandomGraph{seed, {}}.make();
        made.graph.schedule.identity = 1;
        played += expect_each_as_by_itself(made.graph, made.durations, 2 + seed % 5);
    }
    EXPECT_GT(played, 300U) << "most of some 600";
}

TEST(AbreastPlayer, PlaysPairsOfTasksAndStagesThatMeet) {
    for (const auto kind : {graph::ScheduleKind::dualpipe, graph::ScheduleKind::zb_v}) {
        const test::LayerGraph made{{4, 12, 3, 1, kind, 2}};
        EXPECT_EQ(expect_each_as_by_itself(made.graph, made.durations, 6), 6U);
    }
}

TEST(AbreastPlayer, LeavesLongSteadyPhasesAndUnknownSchedulesToOneAtATime) {
    test::LayerGraph longer{{4, 2000, 3}};
    EXPECT_EQ(expect_each_as_by_itself(longer.graph, longer.durations, 4), 0U);
    test::LayerGraph unknown{{4, 8, 3}};
    EXPECT_EQ(expect_each_as_by_itself(unknown.graph, unknown.durations, 4), 4U);
    unknown.graph.schedule.identity = 0;
    EXPECT_EQ(expect_each_as_by_itself(unknown.graph, unknown.durations, 4), 0U);
}

/// A graph on which one evaluation holds senders that another does not is two schedules.
TEST(AbreastPlayer, LeavesDurationsOfTwoSchedulesToOneAtATime) {
    const test::LayerGraph made{{4, 8, 3}};
    Durations holding = made.durations;
    for (TransferTime& time : holding.forward) time.hold = time.duration;
    ASSERT_GT(holding.forward.front().hold, 0.0);
    FoldedEngine engine;
    const std::array<const Durations*, 2> both{&made.durations, &holding};
    for (const auto& result : engine.play_abreast(made.graph, both)) EXPECT_FALSE(result);
}

/// Of 1F1B, stage i waits for the backwards of at most 4 − i microbatches: 10 in all, of 1,000 and more.
TEST(AbreastSteps, GivePlacesThatNobodyNeedsAnyMoreToOthers) {
    const test::LayerGraph made{{4, 1000, 3}};
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    AbreastSteps steps;
    steps.read(program);
    EXPECT_EQ(steps.steps().size(), program.steps().size());
    EXPECT_LE(steps.passes(), 10U);
    EXPECT_LE(steps.messages(), 2U + 16U);
    steps.read(program);
    EXPECT_LE(steps.passes(), 10U) << "again";
}

TEST(ApplyAbreast, IsTheMaximumOfSums) {
    // One output of two inputs: 1 + 10 beside 0 + 12, 1 + 10, 2 + 10 and what is absent.
    const std::vector<double> numbers{1, 1, 1, 1, 0, 1, 2, absent};
    const std::vector<double> in{10, 10, 10, 10, 12, 10, 10, 10};
    std::vector<double> out(abreast);
    apply_abreast(numbers.data(), 2, 1, in.data(), out.data());
    EXPECT_EQ(out, (std::vector<double>{12, 11, 12, 11}));
}

}  // namespace
}  // namespace dse::sim::fold
