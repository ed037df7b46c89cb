#include "dse/sim/critical_path.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "dse/sim/fold/folded_engine.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim {
namespace {

/// An iteration that was played, with all that happened.
struct Played {
    explicit Played(const graph::Graph& graph, const Durations& durations) {
        std::vector<std::uint32_t> stages(graph.schedule.stages);
        std::iota(stages.begin(), stages.end(), 0U);
        fold::FoldedEngine engine;
        engine.play(graph, durations, stages, timelines);
        result = engine.play(graph, durations);
    }
    Result result;
    std::vector<Timeline> timelines;
};

TEST(CriticalPath, LeavesNoTimeOut) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {5, 3, 12, 8, 7, 1}}.make();
        const Played played{made.graph, made.durations};
        const Dependencies dependencies{made.graph, made.durations, played.timelines};
        const std::uint32_t limiting = played.result.last_stage;
        const auto path = critical_path(dependencies, limiting, played.timelines[limiting].end);
        ASSERT_FALSE(path.empty());
        double time = 0;
        for (const PathStep& step : path) {
            EXPECT_EQ(step.start, time) << "seed " << seed;
            EXPECT_GE(step.end, step.start);
            time = step.end;
        }
        EXPECT_EQ(time + made.durations.barrier, played.result.iteration_time) << "seed " << seed;
    }
}

/// Whatever the graph: what is said of single collectives and messages adds up to what is said of groups.
TEST(Exposures, SumToThePartsByGroup) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {5, 3, 12, 8, 7, 1}}.make();
        const Played played{made.graph, made.durations};
        const Dependencies dependencies{made.graph, made.durations, played.timelines};
        const std::uint32_t last = played.result.last_stage;
        Parts parts;
        const Window all{0, played.result.iteration_time};
        for (const Exposure& exposure : exposures(dependencies, made.graph, last, all)) {
            parts.charge(Cause::of(made.graph.works[dependencies.at(exposure.who).work.index()]),
                         exposure.sum());
        }
        parts.charge(Cause::of(made.graph.works[made.graph.barrier.index()]), made.durations.barrier);
        EXPECT_EQ(parts.communication, played.result.stages[last].communication) << "seed " << seed;
        EXPECT_EQ(parts.message, played.result.stages[last].message) << "seed " << seed;
    }
}

/// Half of the window, half of the kernels: a window counts what lies in it.
TEST(Window, CountsWhatLiesInIt) {
    const Window window{2, 5};
    EXPECT_EQ(window.share(0, 3), 1);
    EXPECT_EQ(window.share(3, 4), 1);
    EXPECT_EQ(window.share(4, 9), 1);
    EXPECT_EQ(window.share(6, 9), 0);
}

}  // namespace
}  // namespace dse::sim
