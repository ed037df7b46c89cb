#include "dse/sim/fold/played_beginning.hpp"

#include <gtest/gtest.h>

#include "dse/sim/fold/folded_engine.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;

/// Plays one after the other on an engine that may continue, each beside an engine that has played nothing.
void expect_like_alone(FoldedEngine& engine, const graph::Graph& graph, const Durations& durations) {
    FoldedEngine alone;
    std::vector<std::uint32_t> stages;
    for (std::uint32_t stage = 0; stage < graph.schedule.stages; ++stage) stages.push_back(stage);
    std::vector<Timeline> found;
    std::vector<Timeline> wanted;
    const Result result = engine.play(graph, durations, stages, found);
    const Result expected = alone.play(graph, durations, stages, wanted);
    ASSERT_EQ(result.iteration_time, expected.iteration_time);
    ASSERT_EQ(result.last_stage, expected.last_stage);
    for (const std::uint32_t stage : stages) {
        ASSERT_EQ(found[stage].spans.size(), wanted[stage].spans.size()) << "stage " << stage;
        for (std::size_t i = 0; i < found[stage].spans.size(); ++i) {
            ASSERT_EQ(found[stage].spans[i].start, wanted[stage].spans[i].start) << "stage " << stage;
            ASSERT_EQ(found[stage].spans[i].end, wanted[stage].spans[i].end) << "stage " << stage;
        }
    }
}

/// Works in all regions, or in those of the last passes only, take longer from play to play.
TEST(PlayedBeginning, ChangesNothing) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = test::RandomGraph{seed, {5, 3, 60, 5, 5, 1}}.make();
        made.graph.schedule.identity = seed;
        FoldedEngine engine;
        expect_like_alone(engine, made.graph, made.durations);
        expect_like_alone(engine, made.graph, made.durations);
        for (std::size_t work = 0; work < made.durations.of_work.size(); work += 5) {
            NodeTime& time = made.durations.of_work[work];
            time.duration += 0x1p-10;
            time.visible += 0x1p-10;
            expect_like_alone(engine, made.graph, made.durations);
        }
    }
}

/// Number of tasks that are simulated when a play is repeated.
std::uint64_t tasks_again(ScheduleKind kind, std::uint32_t chunks) {
    test::LayerGraph made{{4, 40, 3, 1, kind, chunks}};
    FoldedEngine engine;
    const std::uint64_t first = engine.play(made.graph, made.durations, {Asked::For::time}).task_visits;
    const std::uint64_t again = engine.play(made.graph, made.durations, {Asked::For::time}).task_visits;
    EXPECT_LT(again, first);
    made.durations.forward[0].duration += 0x1p-10;
    EXPECT_GT(engine.play(made.graph, made.durations, {Asked::For::time}).task_visits, again);
    return again;
}

/// Nothing but the last backward of each of the four stages is played again: no other task waits for it.
TEST(PlayedBeginning, ContinuesBeforeTheLastPasses) {
    EXPECT_EQ(tasks_again(ScheduleKind::one_f_one_b, 1), 4U);
    EXPECT_EQ(tasks_again(ScheduleKind::gpipe, 1), 4U);
    tasks_again(ScheduleKind::interleaved, 2);
}

}  // namespace
}  // namespace dse::sim::fold
