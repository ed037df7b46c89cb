// Also tests: task_list.hpp
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/schedule_play.hpp"

namespace dse::graph {
namespace {

PipelineSchedule make(std::uint32_t stages, std::uint32_t microbatches) {
    return make_schedule(ScheduleKind::zb_v, stages, microbatches, 2);
}

// docs/theory/schedules.md: no bubble where F = B_in = W: a stage that has begun never waits. Stage i begins
// i forwards of a chunk after stage 0, so that the last one ends that much later than m microbatches of 2
// chunks x 3 passes.
TEST(ZeroBubbleV, LeavesNoBubbleWherePassesAreEqual) {
    for (std::uint32_t stages = 1; stages <= 16; ++stages) {
        for (const std::uint32_t microbatches : {2 * stages, 2 * stages + 1, 64U}) {
            const PipelineSchedule schedule = make(stages, microbatches);
            double last = 0;
            for (const dse::test::StageTime& stage : dse::test::play_schedule(schedule, {1, 1, 1})) {
                EXPECT_EQ(stage.idle(), 0.0) << stages << " stages, " << microbatches;
                last = std::max(last, stage.end);
            }
            EXPECT_EQ(last, 6.0 * microbatches + stages - 1);
        }
    }
}

// docs/theory/memory.md: what 1F1B's first stage keeps, p microbatches, is 2p of chunks that are half as
// large; every stage of the V keeps no more, since chunks with long and with short lives lie on one stage.
TEST(ZeroBubbleV, KeepsNoMoreThanOneForwardOneBackward) {
    for (std::uint32_t stages = 1; stages <= 16; ++stages) {
        for (const std::uint32_t microbatches : {1U, stages, 2 * stages, 64U}) {
            const PipelineSchedule schedule = make(stages, microbatches);
            for (std::uint32_t stage = 0; stage < stages; ++stage) {
                const int live = dse::test::most_in_flight(schedule, stage);
                EXPECT_LE(live, static_cast<int>(2 * stages));
                if (stage == 0 && microbatches >= 2 * stages) {
                    EXPECT_EQ(live, static_cast<int>(2 * stages));
                }
            }
        }
    }
}

TEST(ZeroBubbleV, PutsTheEndsOfTheModelOnTheFirstStage) {
    const PipelineSchedule schedule = make(4, 8);
    EXPECT_EQ(source_of({Pass::forward, 0, 0}, 0, schedule).kind, Peer::Kind::none);
    EXPECT_EQ(destination_of({Pass::forward, 1, 0}, 0, schedule).kind, Peer::Kind::none);
    EXPECT_EQ(source_of({Pass::backward, 1, 0}, 0, schedule).kind, Peer::Kind::none);
    // The turn is inside the last stage; a chunk on the way back receives from the stage after it.
    EXPECT_EQ(destination_of({Pass::forward, 0, 5}, 3, schedule).kind, Peer::Kind::local);
    EXPECT_EQ(destination_of({Pass::forward, 0, 5}, 3, schedule).task, (Task{Pass::forward, 1, 5}));
    EXPECT_EQ(source_of({Pass::forward, 1, 5}, 2, schedule).stage, 3U);
    EXPECT_EQ(source_of({Pass::backward, 1, 5}, 2, schedule).stage, 1U);
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
        EXPECT_EQ(piece_of(Placement::v_shaped, stage, 0, 4), stage);
        EXPECT_EQ(piece_of(Placement::v_shaped, stage, 1, 4), 7 - stage);
    }
}

// Of m microbatches all but those that fill the V are in rounds of six tasks: stage 0 has 2p - 1 before.
TEST(ZeroBubbleV, MarksASteadyPhase) {
    const SteadyPhase steady = make(4, 64).steady;
    EXPECT_EQ(steady.tasks_per_round, 6U);
    EXPECT_EQ(steady.rounds, 64U - 7U);
    EXPECT_EQ(steady.begin, (std::vector<std::uint32_t>{7 + 12, 7 + 9, 7 + 6, 7 + 3}));
    EXPECT_EQ(make(4, 7).steady.rounds, 0U);
}

TEST(ZeroBubbleV, HasItsOwnNumberOfChunks) {
    EXPECT_EQ(chunks_of(ScheduleKind::zb_v, 1), 2U);
    EXPECT_THROW(chunks_of(ScheduleKind::zb_v, 2), ModelError);
    EXPECT_EQ(chunks_of(ScheduleKind::interleaved, 3), 3U);
}

}  // namespace
}  // namespace dse::graph
