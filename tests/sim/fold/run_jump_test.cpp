// Also tests: fold/step_runs.cpp
#include "dse/sim/fold/run_jump.hpp"

#include <random>

#include <gtest/gtest.h>

#include "dse/sim/engine.hpp"
#include "dse/sim/fold/folded_engine.hpp"
#include "support/layer_graph.hpp"
#include "support/played_schedule.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;

using PlayedRuns = test::PlayedSchedule<RunJump>;
using test::Tasks;

/// Streams and both ends of every lane, with tasks skipped or not.
void expect_same_times(const graph::Graph& graph, const PlayedRuns& some, const PlayedRuns& all) {
    ASSERT_NO_FATAL_FAILURE(test::expect_same_streams(graph, some, all));
    for (std::size_t end = 0; end < all.player.state().lane_ends(); ++end) {
        ASSERT_EQ(some.player.state().send_free(end), all.player.state().send_free(end)) << end;
        ASSERT_EQ(some.player.state().receive_free(end), all.player.state().receive_free(end)) << end;
    }
}

/// Two stages: per stage, the first forward pass, a run of forward passes with their messages, and a run of
/// backward passes before the last one.
TEST(StepRuns, AreThePassesOfAStage) {
    const test::LayerGraph made{{2, 40, 1, 1, ScheduleKind::gpipe}};
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    ASSERT_EQ(program.runs().size(), 4U);
    EXPECT_EQ(program.runs()[0].rounds, 39U);
    EXPECT_EQ(program.runs()[0].steps, 2U);
    EXPECT_EQ(program.runs()[1].steps, 1U);
    EXPECT_EQ(program.runs()[2].rounds, 39U);
    for (const StepRun& run : program.runs()) EXPECT_EQ(run.microbatch, 1U);
}

TEST(RunJump, PaysForManyMicrobatches) {
    const auto pays = [](std::uint32_t microbatches, std::size_t factor) {
        const test::LayerGraph made{{2, microbatches, 1, 1, ScheduleKind::gpipe}};
        ScheduleProgram program;
        program.compile(made.graph.schedule, made.durations);
        return RunJump::pays(program, factor);
    };
    EXPECT_FALSE(pays(40, 1));
    EXPECT_TRUE(pays(100, 1));
    EXPECT_FALSE(pays(100, 3));
    EXPECT_TRUE(pays(200, 3));
}

TEST(StepRuns, AreNoneWhereRoundsAreSteady) {
    const test::LayerGraph made{{2, 40}};
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    EXPECT_GT(program.steady().rounds, 0U);
    EXPECT_TRUE(program.runs().empty());
}

TEST(RunJump, CostsTheSameForMoreMicrobatches) {
    const test::LayerGraph few{{4, 200, 3, 1, ScheduleKind::gpipe}};
    const test::LayerGraph many{{4, 8000, 3, 1, ScheduleKind::gpipe}};
    const PlayedRuns some{many.graph, many.durations, Tasks::some};
    EXPECT_EQ((PlayedRuns{few.graph, few.durations, Tasks::some}.player.task_visits()),
              some.player.task_visits());
    EXPECT_LT(some.player.task_visits(), 100U);
    expect_same_times(many.graph, some, PlayedRuns{many.graph, many.durations, Tasks::all});
}

TEST(RunJump, ChangesNothing) {
    int with_runs = 0;
    int skipping = 0;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {6, 2, 150, 4, 5, 1}}.make();
        ScheduleProgram program;
        program.compile(made.graph.schedule, made.durations, sending_of(made.graph));
        if (program.runs().empty()) continue;
        const PlayedRuns some{made.graph, made.durations, Tasks::some};
        const PlayedRuns all{made.graph, made.durations, Tasks::all};
        expect_same_times(made.graph, some, all);
        ++with_runs;
        skipping += some.player.task_visits() < all.player.task_visits() / 2 ? 1 : 0;
    }
    EXPECT_GT(with_runs, 400);
    EXPECT_GT(skipping, with_runs / 2);
}

/// Stages of any times in any order, zero included, and messages: fast stages before slow ones, whose
/// messages wait; slow ones before fast ones, which wait for messages; backward passes that are quicker.
TEST(RunJump, KnowsStagesThatDiffer) {
    int skipping = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random{seed};
        const auto ticks = [&](std::uint32_t most) {
            return 0x1p-10 * static_cast<double>(random() % (most + 1));
        };
        test::SmallGraph made;
        const auto stages = static_cast<std::uint32_t>(1 + random() % 7);
        made.pipeline(ScheduleKind::gpipe, stages, static_cast<std::uint32_t>(50 + random() % 400));
        made.graph.program_of.clear();
        for (std::uint32_t stage = 0; stage < stages; ++stage) {
            made.program(made.pass(ticks(5)), made.pass(ticks(9)));
            made.graph.program_of.push_back(stage);
        }
        made.finish(random() % 3 == 0 ? 0.0 : ticks(6));
        const PlayedRuns some{made.graph, made.durations, Tasks::some};
        const PlayedRuns all{made.graph, made.durations, Tasks::all};
        expect_same_times(made.graph, some, all);
        skipping += some.player.task_visits() < all.player.task_visits() / 2 ? 1 : 0;
    }
    EXPECT_EQ(skipping, 300);
}

/// Asked for its time first, and for its parts afterwards, an engine must not take messages that were
/// skipped.
TEST(RunJump, LeavesNothingForParts) {
    const test::LayerGraph made{{3, 300, 2, 1, ScheduleKind::gpipe}};
    FoldedEngine engine;
    const Result time = engine.play(made.graph, made.durations, {Asked::For::time});
    const Result parts = engine.play(made.graph, made.durations, {Asked::For::parts});
    const Result again = engine.play(made.graph, made.durations, {Asked::For::stages});
    const Result reference = engines().find("event")()->play(made.graph, made.durations, {Asked::For::parts});
    EXPECT_EQ(time.iteration_time, reference.iteration_time);
    EXPECT_EQ(parts.iteration_time, reference.iteration_time);
    EXPECT_EQ(parts.parts, reference.parts);
    EXPECT_EQ(parts.stages, reference.stages);
    EXPECT_EQ(again.stages, reference.stages);
    EXPECT_LT(time.task_visits, 100U);
}

}  // namespace
}  // namespace dse::sim::fold
