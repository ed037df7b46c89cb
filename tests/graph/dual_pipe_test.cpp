#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/schedule_play.hpp"

namespace dse::graph {
namespace {

PipelineSchedule make(std::uint32_t stages, std::uint32_t microbatches) {
    return make_schedule(ScheduleKind::dualpipe, stages, microbatches, 2);
}

// docs/theory/schedules.md: bubble (p/2 − 1)(F&B + B − 3W). Without communication an overlapped pair takes
// what its parts take: with F = B_in = W = 1, F&B = 3 and B = 2, so that 2·(p/2 − 1) are left.
TEST(DualPipe, LeavesTheBubbleOfThePaper) {
    for (std::uint32_t stages = 2; stages <= 16; stages += 2) {
        for (const std::uint32_t microbatches : {2 * stages, 2 * stages + 2, 64U}) {
            const PipelineSchedule schedule = make(stages, microbatches);
            EXPECT_EQ(test::makespan(schedule, {1, 1, 1}), 3.0 * microbatches + 2.0 * (stages / 2.0 - 1));
        }
    }
    // The worked example.
    EXPECT_EQ(test::makespan(make(8, 32), {1, 1, 1}), 96 + 6);
}

// docs/theory/memory.md: p + 1 microbatches of a stage.
TEST(DualPipe, KeepsOneMicrobatchMoreThanItHasStages) {
    for (std::uint32_t stages = 2; stages <= 16; stages += 2) {
        int most = 0;
        for (std::uint32_t stage = 0; stage < stages; ++stage)
            most = std::max(most, test::most_in_flight(make(stages, 64), stage));
        EXPECT_EQ(most, static_cast<int>(stages + 1));
    }
}

// Stage i does with its near chunk what stage p − 1 − i does with its own.
TEST(DualPipe, IsTheSameFromBothEnds) {
    const PipelineSchedule schedule = make(8, 20);
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
        const std::vector<Task>& near = schedule.tasks[stage];
        const std::vector<Task>& far = schedule.tasks[7 - stage];
        ASSERT_EQ(near.size(), far.size());
        for (std::size_t t = 0; t < near.size(); ++t) {
            Task mirrored = far[t];
            mirrored.chunk = static_cast<std::uint16_t>(1 - mirrored.chunk);
            EXPECT_EQ(near[t], mirrored);
            EXPECT_EQ(near[t].form, far[t].form);
        }
        EXPECT_EQ(piece_of(Placement::mirrored, stage, 1, 8), 7 - stage);
    }
}

TEST(DualPipe, RunsTwoPipelinesOfHalfTheMicrobatches) {
    const PipelineSchedule schedule = make(4, 10);
    EXPECT_EQ(schedule.microbatches, 5U);
    EXPECT_EQ(source_of({Pass::forward, 0, 0}, 0, schedule).kind, Peer::Kind::none);
    EXPECT_EQ(source_of({Pass::forward, 1, 0}, 3, schedule).kind, Peer::Kind::none);
    EXPECT_EQ(source_of({Pass::forward, 1, 0}, 0, schedule).stage, 1U);
    EXPECT_EQ(destination_of({Pass::forward, 0, 0}, 3, schedule).kind, Peer::Kind::none);
    EXPECT_EQ(destination_of({Pass::backward, 0, 0}, 3, schedule).stage, 2U);
}

// Each of the m forwards of a stage in the middle overlaps with a backward but for those that fill the
// pipeline, p/2 of each chunk, and the first one after.
TEST(DualPipe, OverlapsForwardsWithBackwards) {
    const PipelineSchedule schedule = make(8, 64);
    const auto overlaps = [&](std::uint32_t stage) {
        const std::vector<Task>& tasks = schedule.tasks[stage];
        return std::count_if(tasks.begin(), tasks.end(),
                             [](const Task& task) { return task.form == Form::overlapped; });
    };
    EXPECT_EQ(overlaps(3), 64 - 8 - 1);
    // Stage 0: 2·3 + 1 of the near and 1 + 3 of the far chunk come before.
    EXPECT_EQ(overlaps(0), 64 - 7 - 4);
}

TEST(DualPipe, RefusesWhatDoesNotExist) {
    EXPECT_THROW(make(1, 8), ModelError);
    EXPECT_THROW(make(3, 12), ModelError);
    EXPECT_THROW(make(4, 9), ModelError);
    EXPECT_THROW(make(4, 6), ModelError);
    EXPECT_THROW(chunks_of(ScheduleKind::dualpipe, 2), ModelError);
    EXPECT_EQ(chunks_of(ScheduleKind::dualpipe, 1), 2U);
}

}  // namespace
}  // namespace dse::graph
