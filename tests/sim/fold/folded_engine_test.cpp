// Also tests: fold/stage_account.cpp
#include "dse/sim/fold/folded_engine.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/layer_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;

TEST(FoldedEngine, CostsTheSameForAnyNumberOfLayers) {
    FoldedEngine engine;
    const auto visits = [&engine](std::int64_t layers) {
        const test::LayerGraph made{{4, 16, layers, 8, ScheduleKind::one_f_one_b, 1, 1e-7}};
        return engine.play(made.graph, made.durations, {Asked::For::time}).node_visits;
    };
    EXPECT_EQ(visits(1'000'000), visits(1000));
    EXPECT_LE(visits(1'000'000), visits(10));  // short stacks of layers end before they come to a cycle
}

TEST(FoldedEngine, CostsTheSameForAnyNumberOfRanks) {
    FoldedEngine engine;
    const test::LayerGraph few{{4, 16, 10, 16}};
    const test::LayerGraph many{{4, 16, 10, 256}};
    const Result a = engine.play(few.graph, few.durations);
    const Result b = engine.play(many.graph, many.durations);
    EXPECT_EQ(few.graph.mesh.ranks(), 64);
    EXPECT_EQ(many.graph.mesh.ranks(), 1024);
    EXPECT_EQ(a.node_visits, b.node_visits);
    EXPECT_EQ(a.task_visits, b.task_visits);
    EXPECT_EQ(a.iteration_time, b.iteration_time);
}

TEST(FoldedEngine, AccountsForRoundsThatWereLeftOut) {
    FoldedEngine engine;
    for (const ScheduleKind kind : {ScheduleKind::one_f_one_b, ScheduleKind::interleaved}) {
        const std::uint32_t chunks = kind == ScheduleKind::interleaved ? 2 : 1;
        const test::LayerGraph made{{4, 2000, 3, 1, kind, chunks}};
        const Result result = engine.play(made.graph, made.durations);
        EXPECT_LT(result.task_visits, 4U * 2000U);
        EXPECT_EQ(result.stages[result.last_stage].sum(), result.iteration_time);
        // Every microbatch runs 3 layers a chunk: 25 kernels and a tail, of the durations in the shape.
        std::vector<Timeline> timelines;
        engine.play(made.graph, made.durations, {result.last_stage}, timelines);
        double busy = 0;
        for (const Span& span : timelines[0].spans) {
            if (span.stream == 0) busy += span.end - span.start;
        }
        EXPECT_EQ(result.stages[result.last_stage].compute_time(), busy);
    }
}

TEST(FoldedEngine, GivesTheSameAgainAfterOtherGraphs) {
    FoldedEngine engine;
    const test::LayerGraph large{{8, 32, 12}};
    const test::LayerGraph small{{2, 3, 1, 1, ScheduleKind::gpipe}};
    const Result first = engine.play(small.graph, small.durations);
    engine.play(large.graph, large.durations);
    const Result again = engine.play(small.graph, small.durations);
    EXPECT_EQ(first.iteration_time, again.iteration_time);
    EXPECT_EQ(first.parts, again.parts);
    EXPECT_EQ(first.node_visits, again.node_visits);
}

TEST(FoldedEngine, RefusesCollectivesAcrossStages) {
    test::SmallGraph made{2};
    made.pipeline(ScheduleKind::gpipe, 2, 1);
    const graph::RegionId forward = made.pass(1);
    made.program(forward, made.pass(2)).finish =
        made.region(0, {test::SmallGraph::node(made.collective(graph::MeshAxis::pipeline, 1), {}, 1)}, {});
    made.finish();
    FoldedEngine engine;
    EXPECT_THROW(engine.play(made.graph, made.durations), ModelError);
}

}  // namespace
}  // namespace dse::sim::fold
