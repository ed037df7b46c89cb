// Also tests: fold/schedule_player.cpp
#include "dse/sim/fold/period_jump.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using workload::ScheduleKind;

enum class Rounds { all, some };

/// Plays a graph and keeps what is left of it.
struct Played {
    Played(const workload::Graph& graph, const Durations& durations, Rounds rounds) {
        table.reset(graph);
        regions.reset(graph, durations, table);
        player.reset(graph, durations, regions, table);
        if (rounds == Rounds::some) {
            jump.run(graph, regions, player);
        } else {
            player.run();
        }
        player.check_finished();
        player.finish();
    }
    RegionTable table;
    RegionOperators regions;
    SchedulePlayer player;
    PeriodJump jump;
};

/// Streams and every message, with rounds left out or not.
void expect_same(const workload::Graph& graph, const Played& some, Played& all) {
    const MessageLog log{const_cast<Played&>(some).player.sends(),
                         const_cast<Played&>(some).player.receives(), some.jump.jump()};
    for (std::uint32_t i = 0; i < graph.schedule.stages; ++i) {
        EXPECT_EQ(some.player.last_stream(i), all.player.last_stream(i));
        for (std::size_t s = 0; s < graph.streams.size(); ++s) {
            EXPECT_EQ(some.player.streams(i)[s], all.player.streams(i)[s]);
        }
        ASSERT_EQ(some.player.stage(i).sent, all.player.stage(i).sent);
        const MessageView sends = MessageView::sends(log, i);
        const MessageView receives = MessageView::receives(log, i);
        for (std::uint32_t n = 0; n < all.player.stage(i).sent; ++n) {
            EXPECT_EQ(sends.at(n).start, all.player.sends().at(i, n).start)
                << "stage " << i << " sends " << n;
            EXPECT_EQ(sends.at(n).limit, all.player.sends().at(i, n).limit);
        }
        for (std::uint32_t n = 0; n < all.player.stage(i).received; ++n) {
            EXPECT_EQ(receives.at(n).end, all.player.receives().at(i, n).end)
                << "stage " << i << " gets " << n;
        }
    }
}

TEST(PeriodJump, LeavesOutRoundsOfALongSchedule) {
    for (const ScheduleKind kind : {ScheduleKind::one_f_one_b, ScheduleKind::interleaved}) {
        const test::LayerGraph made{{4, 400, 3, 1, kind, kind == ScheduleKind::interleaved ? 2U : 1U}};
        const Played some{made.graph, made.durations, Rounds::some};
        Played all{made.graph, made.durations, Rounds::all};
        EXPECT_GT(some.jump.jump().periods, 0U);
        EXPECT_LT(some.player.task_visits(), all.player.task_visits() / 2);
        expect_same(made.graph, some, all);
    }
}

TEST(PeriodJump, CostsTheSameForMoreMicrobatches) {
    const test::LayerGraph few{{4, 200}};
    const test::LayerGraph many{{4, 2000}};
    EXPECT_EQ((Played{few.graph, few.durations, Rounds::some}.player.task_visits()),
              (Played{many.graph, many.durations, Rounds::some}.player.task_visits()));
}

TEST(PeriodJump, ChangesNothing) {
    int jumps = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {4, 2, 60, 4, 5, 1}}.make();
        const Played some{made.graph, made.durations, Rounds::some};
        Played all{made.graph, made.durations, Rounds::all};
        jumps += some.jump.jump().periods > 0 ? 1 : 0;
        expect_same(made.graph, some, all);
    }
    EXPECT_GT(jumps, 30);
}

/// A stage that is alone in being slow, after one that is fast: messages pile up, and the state never shifts
/// as a whole while they do.
TEST(PeriodJump, PlaysWhatHasNoPeriod) {
    const test::LayerGraph made{{4, 400, 3, 1, ScheduleKind::gpipe}};
    const Played some{made.graph, made.durations, Rounds::some};
    EXPECT_EQ(some.jump.jump().periods, 0U);
    EXPECT_EQ(some.player.task_visits(), 4U * 800U);
}

// Both streams of a stage are taken in order: message 2 of stage 0 (ready at 2) waits for message 1 (1 to 4).
TEST(SchedulePlayer, SendsOneMessageAfterTheOther) {
    test::SmallGraph made;
    made.pipeline(ScheduleKind::gpipe, 2, 2);
    made.program(made.pass(1), made.pass(2));
    made.finish(3);
    Played played{made.graph, made.durations, Rounds::all};
    EXPECT_EQ(played.player.sends().at(0, 0).start, 1.0);
    EXPECT_EQ(played.player.sends().at(0, 1).start, 4.0);
    EXPECT_EQ(played.player.sends().at(0, 1).ready, 2.0);
    EXPECT_EQ(played.player.sends().at(0, 1).limit, TransferLimit::send_stream);
    EXPECT_EQ(played.player.receives().at(1, 1).end, 7.0);
}

TEST(SchedulePlayer, NamesWhoWaitsForWhom) {
    test::SmallGraph made;
    made.pipeline(ScheduleKind::gpipe, 3, 1);
    made.program(made.pass(1), made.pass(2));
    made.finish();
    // Stage 2 wants the backward that it itself must send before its forward.
    std::swap(made.graph.schedule.tasks[1][0], made.graph.schedule.tasks[1][1]);
    try {
        const Played played{made.graph, made.durations, Rounds::all};
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
