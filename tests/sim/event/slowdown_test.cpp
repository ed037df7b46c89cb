#include "sim/event/slowdown.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/sim/engine.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::event {
namespace {

// A kernel of 4 that begins at 0, at half speed from 1 to 3: it does 1 + 1 by then, and ends at 5.
TEST(Slowdown, AKernelLosesWhatRunsBesideIt) {
    Slowdown slowdown{2.0, 1};
    const Slowdown::Finish alone = slowdown.begin(0, 0, 4);
    EXPECT_EQ(alone.time, 4);
    const auto slower = slowdown.arrive(0, 1);
    ASSERT_TRUE(slower.has_value());
    EXPECT_EQ(slower->time, 7);
    EXPECT_FALSE(slowdown.end(0, alone));
    const auto faster = slowdown.depart(0, 3);
    ASSERT_TRUE(faster.has_value());
    EXPECT_EQ(faster->time, 5);
    EXPECT_FALSE(slowdown.end(0, *slower));
    EXPECT_TRUE(slowdown.end(0, *faster));
}

// A second collective beside the first one makes nothing slower, and ranks do not see each other's.
TEST(Slowdown, OneOrManyAreTheSame) {
    Slowdown slowdown{2.0, 2};
    EXPECT_FALSE(slowdown.arrive(0, 0).has_value());
    EXPECT_EQ(slowdown.begin(0, 0, 4).time, 8);
    EXPECT_EQ(slowdown.begin(1, 0, 4).time, 4);
    EXPECT_FALSE(slowdown.arrive(0, 1).has_value());
    EXPECT_FALSE(slowdown.depart(0, 2).has_value());
    EXPECT_EQ(slowdown.depart(0, 4)->time, 6);
}

/// A kernel of 4 beside a collective or copy of 6 that begins at once; then a kernel of 4 that needs its
/// result.
struct Beside {
    explicit Beside(bool copies = false) {
        made.pipeline(graph::ScheduleKind::one_f_one_b, 1, 1);
        made.graph.streams = {"compute", "dp"};
        const auto gather = copies ? made.copy(6) : made.collective(graph::MeshAxis::data, 6);
        const auto kernel = made.kernel(4);
        const auto forward =
            made.region(1,
                        {test::SmallGraph::node(gather, {}, 1), test::SmallGraph::node(kernel),
                         test::SmallGraph::node(kernel, {graph::ValueRef::item(0)})},
                        {graph::ValueRef::item(2)});
        made.program(forward, made.pass(1));
        made.graph.program_of = {0};
        made.finish();
    }
    test::SmallGraph made;
};

// At a third of the speed the first kernel does 2 by 6 and ends at 8, when the second one begins: 4 more, and
// the backward pass of 1.
TEST(EventEngine, SlowsKernelsWhileSomethingRunsBesideThem) {
    Beside beside;
    const auto event = engines().find("event")();
    // Alone: 4, then the wait for the gather until 6, 4 more, and 1.
    EXPECT_EQ(event->play(beside.made.graph, beside.made.durations).iteration_time, 11.0);
    beside.made.durations.compute_slowdown = 3.0;
    const Result result = event->play(beside.made.graph, beside.made.durations);
    EXPECT_EQ(result.iteration_time, 13.0);
    EXPECT_EQ(result.stages[result.last_stage].compute_time(), 13.0);
    EXPECT_EQ(result.stages[result.last_stage].sum(), 13.0);
}

// As alone: 4, then the wait for the copy until 6, 4 more, and 1.
TEST(EventEngine, CopiesSlowNoKernels) {
    Beside beside{true};
    beside.made.durations.compute_slowdown = 3.0;
    const auto event = engines().find("event")();
    EXPECT_EQ(event->play(beside.made.graph, beside.made.durations).iteration_time, 11.0);
}

TEST(FoldedEngine, RefusesToMeasureASlowdown) {
    Beside beside;
    beside.made.durations.compute_slowdown = 3.0;
    try {
        engines().find("folded")()->play(beside.made.graph, beside.made.durations);
        FAIL();
    } catch (const ModelError& error) {
        EXPECT_NE(std::string{error.what()}.find("engine event"), std::string::npos);
    }
}

/// Whatever the graph: parts sum, nothing gets faster for company, and little company costs little.
TEST(EventEngine, NothingIsFasterForCompany) {
    const auto event = engines().find("event")();
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        test::TimedGraph made = test::RandomGraph{seed, {3, 2, 5, 6, 4, 1}}.make();
        const double alone = event->play(made.graph, made.durations).iteration_time;
        double before = alone;
        for (const double slowdown : {1.0 + 0x1p-30, 1.5, 3.0}) {
            made.durations.compute_slowdown = slowdown;
            const Result result = event->play(made.graph, made.durations);
            EXPECT_EQ(result.stages[result.last_stage].sum(), result.iteration_time) << "seed " << seed;
            EXPECT_GE(result.iteration_time, before) << "seed " << seed << " x " << slowdown;
            if (slowdown < 1.1) {
                EXPECT_LE(result.iteration_time, alone * 1.001) << "seed " << seed;
            }
            before = result.iteration_time;
        }
    }
}

}  // namespace
}  // namespace dse::sim::event
