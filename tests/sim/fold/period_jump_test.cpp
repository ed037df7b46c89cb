// Also tests: fold/schedule_player.cpp, fold/message_view.cpp
#include "dse/sim/fold/period_jump.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/sim/fold/message_view.hpp"
#include "support/layer_graph.hpp"
#include "support/played_schedule.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::Peer;
using graph::ScheduleKind;
using graph::Task;

using PlayedPeriods = test::PlayedSchedule<PeriodJump>;
using test::Tasks;

std::uint32_t left_out_rounds(const PeriodJump& jump) {
    std::uint32_t rounds = 0;
    for (const Jump& one : jump.jumps()) rounds += one.periods * one.rounds;
    return rounds;
}

/// Streams and every message, with rounds left out or not.
void expect_same(const graph::Graph& graph, const PlayedPeriods& some, const PlayedPeriods& all) {
    ASSERT_NO_FATAL_FAILURE(test::expect_same_streams(graph, some, all));
    if (graph.schedule.stages == 1) return;  // no messages
    const MessageView messages{some.player, some.jump};
    const ScheduleProgram& program = all.program;
    for (std::uint32_t i = 0; i < graph.schedule.stages; ++i) {
        for (const Task& task : graph.schedule.tasks[i]) {
            const auto position = static_cast<std::size_t>(&task - graph.schedule.tasks[i].data());
            const Peer source = graph::source_of(task, i, graph.schedule);
            if (source.kind != Peer::Kind::stage) continue;
            const std::uint32_t slot = program.incoming(i, position);
            const Message seen = messages.at(
                graph::lane_end(source.stage, graph::lane_of(task, graph.schedule), graph.schedule), slot);
            const Message played = all.player.state().message(slot);
            ASSERT_EQ(seen.ready, played.ready) << "stage " << i << " takes " << slot;
            ASSERT_EQ(seen.start, played.start) << "stage " << i << " takes " << slot;
            ASSERT_EQ(seen.end, played.end) << "stage " << i << " takes " << slot;
        }
    }
}

TEST(PeriodJump, LeavesOutRoundsOfALongSchedule) {
    for (const ScheduleKind kind :
         {ScheduleKind::one_f_one_b, ScheduleKind::interleaved, ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
        const test::LayerGraph made{{4, 400, 3, 1, kind, kind == ScheduleKind::one_f_one_b ? 1U : 2U}};
        const PlayedPeriods some{made.graph, made.durations, Tasks::some};
        const PlayedPeriods all{made.graph, made.durations, Tasks::all};
        EXPECT_GT(left_out_rounds(some.jump), made.graph.schedule.steady.rounds / 2);
        EXPECT_LT(some.player.task_visits(), all.player.task_visits() / 2);
        expect_same(made.graph, some, all);
    }
}

TEST(PeriodJump, CostsTheSameForMoreMicrobatches) {
    const test::LayerGraph few{{4, 200}};
    const test::LayerGraph many{{4, 2000}};
    EXPECT_EQ((PlayedPeriods{few.graph, few.durations, Tasks::some}.player.task_visits()),
              (PlayedPeriods{many.graph, many.durations, Tasks::some}.player.task_visits()));
}

TEST(PeriodJump, ChangesNothing) {
    int jumps = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {4, 2, 60, 4, 5, 1}}.make();
        const PlayedPeriods some{made.graph, made.durations, Tasks::some};
        const PlayedPeriods all{made.graph, made.durations, Tasks::all};
        jumps += some.jump.jumps().empty() ? 0 : 1;
        expect_same(made.graph, some, all);
    }
    EXPECT_GT(jumps, 30);
}

/// Stage 0 is faster than stage 1, and runs ahead by as many microbatches as the schedule lets it: until then
/// its times grow by less a round than those of stage 1, so that there is no period of the whole state.
TEST(PeriodJump, LeavesOutRoundsInWhichAStageRunsAhead) {
    test::SmallGraph made;
    made.pipeline(ScheduleKind::one_f_one_b, 2, 1000);
    made.program(made.pass(1), made.pass(2));
    made.program(made.pass(1.0009765625), made.pass(2));
    made.graph.program_of = {0, 1};
    made.finish(8);
    const PlayedPeriods some{made.graph, made.durations, Tasks::some};
    const PlayedPeriods all{made.graph, made.durations, Tasks::all};
    EXPECT_LT(some.player.task_visits(), 200U);
    expect_same(made.graph, some, all);
}

TEST(PeriodJump, PlaysWhatHasNoSteadyPhase) {
    const test::LayerGraph made{{4, 400, 3, 1, ScheduleKind::gpipe}};
    const PlayedPeriods some{made.graph, made.durations, Tasks::some};
    EXPECT_TRUE(some.jump.jumps().empty());
    EXPECT_EQ(some.player.task_visits(), 4U * 800U);
}

// Both streams of a stage are taken in order: message 2 of stage 0 (ready at 2) waits for message 1 (1 to 4).
TEST(SchedulePlayer, SendsOneMessageAfterTheOther) {
    test::SmallGraph made;
    made.pipeline(ScheduleKind::gpipe, 2, 2);
    made.program(made.pass(1), made.pass(2));
    made.finish(3);
    const PlayedPeriods played{made.graph, made.durations, Tasks::all};
    const std::uint32_t first = played.program.first_slot(0);
    EXPECT_EQ(played.player.state().message(first).start, 1.0);
    EXPECT_EQ(played.player.state().message(first + 1).ready, 2.0);
    EXPECT_EQ(played.player.state().message(first + 1).start, 4.0);
    EXPECT_EQ(played.player.state().message(first + 1).end, 7.0);
}

TEST(ScheduleProgram, NamesWhoWaitsForWhom) {
    test::SmallGraph made;
    made.pipeline(ScheduleKind::gpipe, 3, 1);
    made.program(made.pass(1), made.pass(2));
    made.finish();
    // Stage 2 wants the backward that it itself must send before its forward.
    std::swap(made.graph.schedule.tasks[1][0], made.graph.schedule.tasks[1][1]);
    try {
        const PlayedPeriods played{made.graph, made.durations, Tasks::all};
        FAIL() << "no deadlock";
    } catch (const ModelError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("stage 1 waits with its backward of chunk 0, microbatch 0 for stage 2"),
                  std::string::npos)
            << what;
        EXPECT_NE(what.find("stage 2 waits with its forward of chunk 0, microbatch 0 for stage 1"),
                  std::string::npos)
            << what;
    }
}

}  // namespace
}  // namespace dse::sim::fold
