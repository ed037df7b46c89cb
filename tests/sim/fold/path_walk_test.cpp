// Also tests: fold/task_log.cpp, fold/time_changes.cpp, fold/played_works.cpp, fold/logged_play.cpp
// Also tests: fold/left_out.cpp
#include "dse/sim/fold/path_walk.hpp"

#include <gtest/gtest.h>

#include "dse/sim/engine.hpp"
#include "dse/sim/fold/folded_engine.hpp"
#include "dse/sim/fold/played_works.hpp"
#include "dse/sim/fold/time_changes.hpp"
#include "support/layer_graph.hpp"
#include "support/played_schedule.hpp"
#include "support/random_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;

test::TimedGraph without_held_streams(std::uint64_t seed, const test::RandomShape& shape) {
    test::TimedGraph made = test::RandomGraph{seed, shape}.make();
    for (TransferTime& time : made.durations.forward) time.hold = 0;
    for (TransferTime& time : made.durations.backward) time.hold = 0;
    return made;
}

/// \return of how many the path can be followed
int compare_paths(const test::RandomShape& shape, std::uint64_t first_seed, std::uint64_t cases) {
    const auto folded = engines().find("folded")();
    const auto event = engines().find("event")();
    int followed = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = without_held_streams(seed, shape);
        followed += PathWalk::can_follow(made.graph, made.durations) ? 1 : 0;
        const Result path = folded->play(made.graph, made.durations, {Asked::For::path});
        EXPECT_EQ(path.parts, event->play(made.graph, made.durations).parts);
        EXPECT_TRUE(path.stages.empty());
        if (::testing::Test::HasFailure()) break;
    }
    return followed;
}

TEST(PathWalk, ChargesWhatAListingOfAllNodesWould) {
    EXPECT_GT(compare_paths({4, 6, 6, 4, 5, 2}, 1, 200), 100);
}

TEST(PathWalk, GoesThroughRoundsThatWereLeftOut) {
    EXPECT_GT(compare_paths({4, 2, 120, 3, 4, 1}, 1001, 100), 50);
}

/// As on machine after machine: what is kept of regions whose times are the same changes no answer.
TEST(PathWalk, KeepsWhatNoTimeHasChangedIn) {
    std::uint64_t kept = 0;
    std::uint64_t fresh = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        test::TimedGraph made = without_held_streams(seed, {4, 2, 20, 4, 5, 1});
        made.graph.revision = seed;
        FoldedEngine engine;
        for (std::size_t machine = 0; machine < 6; ++machine) {
            if (machine > 0) {
                NodeTime& time = made.durations.of_work[seed * machine % made.durations.of_work.size()];
                time.duration += 0.25;
            }
            const Asked::For asked = machine % 3 == 2 ? Asked::For::parts : Asked::For::path;
            const Result again = engine.play(made.graph, made.durations, {asked});
            const Result first = FoldedEngine{}.play(made.graph, made.durations, {asked});
            EXPECT_EQ(again.iteration_time, first.iteration_time);
            EXPECT_EQ(again.parts, first.parts);
            EXPECT_EQ(again.stages, first.stages);
            kept += again.node_visits;
            fresh += first.node_visits;
        }
    }
    EXPECT_LT(kept, fresh - fresh / 16);
}

TEST(TimeChanges, AreThoseOfTheSameGraphAndNumbers) {
    const test::LayerGraph made{{2, 4, 3}};
    graph::Graph graph = made.graph;
    graph.revision = 7;
    Durations durations = made.durations;
    const graph::RegionId layer{0};
    const graph::RegionId pass{1};  // repeats the layer
    TimeChanges changes;
    changes.read(graph, durations);
    const std::uint64_t first = changes.now();
    EXPECT_TRUE(changes.have_changed(layer, 0, 0)) << "not known before";
    EXPECT_FALSE(changes.have_changed(pass, 0, first));
    durations.of_work[graph.regions[0].items[2].work.index()].duration += 1.0;
    changes.read(graph, durations);
    EXPECT_TRUE(changes.have_changed(layer, 0, first));
    EXPECT_TRUE(changes.have_changed(pass, 0, first));
    EXPECT_FALSE(changes.have_changed(graph.programs[0].update, 0, first));
    const std::uint64_t second = changes.now();
    graph.revision = 8;
    changes.read(graph, durations);
    EXPECT_TRUE(changes.have_changed(graph.programs[0].update, 0, second));
}

TEST(PlayedWorks, AreThoseOfTheGraphAndItsSchedule) {
    test::LayerGraph few{{4, 8, 3}};
    few.graph.revision = 1;
    PlayedWorks works;
    works.read(few.graph);
    const double nodes = works.nodes();
    // A pass has 3 layers of 26 nodes and one more; the update and the finish have few.
    EXPECT_GT(nodes, 4 * 8 * 2 * (3 * 26 + 1));
    EXPECT_EQ(works.busiest_stage(few.durations), 0U) << "all are alike";
    graph::make_schedule(ScheduleKind::one_f_one_b, 4, 16, 1, few.graph.schedule);
    few.graph.schedule.identity = graph::identity_of(ScheduleKind::one_f_one_b, few.graph.schedule);
    works.read(few.graph);
    EXPECT_EQ(works.nodes(), nodes + 4 * 8 * 2 * (3 * 26 + 1)) << "twice as many microbatches";
}

TEST(PathWalk, VisitsFewNodes) {
    for (const ScheduleKind kind :
         {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::interleaved, ScheduleKind::zb_v}) {
        const std::uint32_t chunks = kind == ScheduleKind::interleaved || kind == ScheduleKind::zb_v ? 2 : 1;
        const test::LayerGraph made{{4, 64, 3, 1, kind, chunks}};
        ASSERT_TRUE(PathWalk::can_follow(made.graph, made.durations));
        const Result folded = engines().find("folded")()->play(made.graph, made.durations);
        const Result event = engines().find("event")()->play(made.graph, made.durations);
        EXPECT_EQ(folded.parts, event.parts);
        EXPECT_EQ(folded.stages, event.stages);
        EXPECT_EQ(folded.parts->sum(), folded.iteration_time);
        EXPECT_LT(folded.node_visits, event.node_visits / 4);
    }
}

/// Of every task, the state in which it was entered, whether rounds were left out or not.
TEST(TaskLog, KnowsStatesThatWereNotPlayed) {
    for (const ScheduleKind kind : {ScheduleKind::one_f_one_b, ScheduleKind::interleaved}) {
        const test::LayerGraph made{{4, 200, 3, 1, kind, kind == ScheduleKind::interleaved ? 2U : 1U}};
        using Played = test::PlayedSchedule<PeriodJump>;
        TaskLog all_log;
        const Played all{made.graph, made.durations, test::Tasks::all, &all_log};
        TaskLog some_log;
        const Played some{made.graph, made.durations, test::Tasks::some, &some_log};
        ASSERT_FALSE(some.jump.jumps().empty());
        const std::size_t streams = made.graph.streams.size();
        for (std::uint32_t stage = 0; stage < 4; ++stage) {
            const std::size_t tasks = made.graph.schedule.tasks[stage].size();
            for (std::size_t position = 0; position <= tasks; ++position) {
                std::vector<double> played(position == tasks ? streams : streams + 1);
                std::vector<double> known(played.size());
                all_log.read(all.program.steady(), {}, stage, position, played);
                some_log.read(some.program.steady(), some.jump.jumps(), stage, position, known);
                ASSERT_EQ(known, played) << "stage " << stage << ", task " << position;
            }
        }
    }
}

}  // namespace
}  // namespace dse::sim::fold
