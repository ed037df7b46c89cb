#include "dse/graph/pipeline.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/schedule_play.hpp"

namespace dse::graph {
namespace {

struct Shape {
    ScheduleKind kind;
    std::uint32_t stages;
    std::uint32_t microbatches;
    std::uint32_t chunks;
};

std::vector<Shape> shapes() {
    std::vector<Shape> result;
    for (std::uint32_t stages = 1; stages <= 6; ++stages) {
        for (const std::uint32_t microbatches : {1U, 2U, 3U, 5U, 8U, 13U}) {
            result.push_back({ScheduleKind::gpipe, stages, microbatches, 1});
            result.push_back({ScheduleKind::one_f_one_b, stages, microbatches, 1});
            result.push_back({ScheduleKind::zb_h1, stages, microbatches, 1});
            result.push_back({ScheduleKind::zb_v, stages, microbatches, 2});
        }
        for (std::uint32_t pairs = stages; stages % 2 == 0 && pairs < stages + 4; ++pairs)
            result.push_back({ScheduleKind::dualpipe, stages, 2 * pairs, 2});
        for (std::uint32_t chunks = 1; stages > 1 && chunks <= 4; ++chunks) {
            for (std::uint32_t turns = 1; turns <= 4; ++turns) {
                result.push_back({ScheduleKind::interleaved, stages, stages * turns, chunks});
            }
        }
    }
    return result;
}

PipelineSchedule make(const Shape& shape) {
    return make_schedule(shape.kind, shape.stages, shape.microbatches, shape.chunks);
}

/// Of a forward of 1 and a backward of 2, over the chunks.
double makespan(const PipelineSchedule& schedule) {
    const double part = 1.0 / schedule.chunks;
    return test::makespan(schedule, {part, part, part});
}

TEST(MakeSchedule, PlaysEachPassOfEachChunkAndMicrobatchOnceForwardFirst) {
    for (const Shape& shape : shapes()) {
        const PipelineSchedule schedule = make(shape);
        ASSERT_GE(schedule.tasks.size(), shape.stages);
        for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
            std::set<std::pair<std::uint16_t, std::uint32_t>> forwards;
            std::set<std::pair<std::uint16_t, std::uint32_t>> backwards;
            std::set<std::pair<std::uint16_t, std::uint32_t>> weights;
            for (const Task& task : schedule.tasks[stage]) {
                const std::pair<std::uint16_t, std::uint32_t> key{task.chunk, task.microbatch};
                if (task.pass == Pass::forward) {
                    EXPECT_TRUE(forwards.insert(key).second);
                } else if (task.pass == Pass::backward) {
                    EXPECT_TRUE(forwards.contains(key));
                    EXPECT_TRUE(backwards.insert(key).second);
                    if (task.form == Form::whole) {
                        EXPECT_TRUE(weights.insert(key).second);
                    }
                } else {
                    EXPECT_TRUE(backwards.contains(key));
                    EXPECT_TRUE(weights.insert(key).second);
                }
            }
            const std::uint32_t passes = schedule.chunks * schedule.microbatches;
            EXPECT_EQ(forwards.size(), passes);
            EXPECT_EQ(backwards.size(), passes);
            EXPECT_EQ(weights.size(), schedule.splits_backward ? passes : 0);
        }
    }
}

TEST(MakeSchedule, NeverDeadlocks) {
    for (const Shape& shape : shapes()) makespan(make(shape));
}

// docs/theory/schedules.md: bubble (p−1)(F+B) of GPipe and 1F1B, (p−1)(F+B)/v interleaved. With F = 1, B = 2.
TEST(MakeSchedule, LeavesTheBubbleOfThePapers) {
    for (const std::uint32_t stages : {2U, 4U, 8U}) {
        const double ideal = 32 * 3.0;
        EXPECT_DOUBLE_EQ(makespan(make_schedule(ScheduleKind::gpipe, stages, 32, 1)),
                         ideal + (stages - 1) * 3.0);
        EXPECT_DOUBLE_EQ(makespan(make_schedule(ScheduleKind::one_f_one_b, stages, 32, 1)),
                         ideal + (stages - 1) * 3.0);
        for (const std::uint32_t chunks : {2U, 4U}) {
            EXPECT_DOUBLE_EQ(makespan(make_schedule(ScheduleKind::interleaved, stages, 32, chunks)),
                             ideal + (stages - 1) * 3.0 / chunks);
        }
    }
}

// docs/theory/schedules.md: (p−1)(F + B_in − W) of ZB-H1, with F = B_in = W = 1.
TEST(MakeSchedule, LeavesAThirdOfTheBubbleWhereWeightGradientsFillIt) {
    for (const std::uint32_t stages : {2U, 4U, 8U}) {
        EXPECT_DOUBLE_EQ(makespan(make_schedule(ScheduleKind::zb_h1, stages, 32, 1)),
                         32 * 3.0 + (stages - 1) * 1.0);
    }
}

// The worked example of docs/theory/schedules.md: p = 8, m = 32, F = 1, B = 2: bubble 21, and 5.25 with four
// chunks.
TEST(MakeSchedule, GivesTheWorkedExample) {
    EXPECT_DOUBLE_EQ(makespan(make_schedule(ScheduleKind::one_f_one_b, 8, 32, 1)), 96 + 21);
    EXPECT_DOUBLE_EQ(makespan(make_schedule(ScheduleKind::interleaved, 8, 32, 4)), 96 + 5.25);
}

// docs/theory/memory.md: microbatches in flight: GPipe m; 1F1B stage i min(m, p − i); interleaved, first
// stage, in chunks: p·v·(1 + (p − 1)/(p·v)) = p·v + p − 1.
TEST(MakeSchedule, KeepsAsManyMicrobatchesInFlightAsThePapers) {
    for (const Shape& shape : shapes()) {
        const PipelineSchedule schedule = make(shape);
        if (schedule.placement != Placement::cyclic) continue;  // their own tests
        for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
            const int live = test::most_in_flight(schedule, stage);
            const auto microbatches = static_cast<int>(shape.microbatches);
            if (shape.kind == ScheduleKind::gpipe) {
                EXPECT_EQ(live, microbatches);
            } else if (shape.kind == ScheduleKind::zb_h1) {
                EXPECT_LE(live, static_cast<int>(shape.stages));
            } else if (shape.kind == ScheduleKind::one_f_one_b || shape.chunks == 1) {
                EXPECT_EQ(live, std::min(microbatches, static_cast<int>(shape.stages - stage)));
            } else if (stage == 0) {
                const auto chunks = static_cast<int>(shape.chunks);
                const auto stages = static_cast<int>(shape.stages);
                EXPECT_EQ(live, std::min(chunks * microbatches, stages * chunks + stages - 1));
            }
        }
    }
}

TEST(MakeSchedule, MarksASteadyPhaseThatRepeats) {
    const PipelineSchedule schedule = make_schedule(ScheduleKind::one_f_one_b, 4, 16, 1);
    // Stage 0 warms up with 3 forwards; its pairs are F3 B0 … F15 B12; the first pair and none other is left
    // out.
    EXPECT_EQ(schedule.steady.rounds, 12U);
    EXPECT_EQ(schedule.steady.tasks_per_round, 2U);
    EXPECT_EQ(schedule.steady.begin, (std::vector<std::uint32_t>{5, 4, 3, 2}));
    EXPECT_EQ(make_schedule(ScheduleKind::interleaved, 4, 64, 2).steady.tasks_per_round, 16U);
    EXPECT_GT(make_schedule(ScheduleKind::interleaved, 4, 64, 2).steady.rounds, 10U);
    EXPECT_EQ(make_schedule(ScheduleKind::gpipe, 4, 64, 1).steady.rounds, 0U);
}

/// Stage i warms up with 3 - i forwards; of its first four pairs i have no weight pass. Then all stages are
/// at B4, and stage 0, whose forwards end first, has pairs up to B12.
TEST(MakeSchedule, MarksTheSteadyPhaseOfZeroBubbles) {
    const PipelineSchedule schedule = make_schedule(ScheduleKind::zb_h1, 4, 16, 1);
    const SteadyPhase& steady = schedule.steady;
    EXPECT_EQ(steady.tasks_per_round, 3U);
    EXPECT_EQ(steady.microbatches_per_round, 1U);
    EXPECT_EQ(steady.rounds, 9U);
    EXPECT_EQ(steady.begin, (std::vector<std::uint32_t>{15, 13, 11, 9}));
    for (std::uint32_t stage = 0; stage < 4; ++stage) {
        for (std::uint32_t round = 0; round < steady.rounds; ++round) {
            const Task* const tasks = &schedule.tasks[stage][steady.begin[stage] + 3 * round];
            EXPECT_EQ(tasks[0], (Task{Pass::forward, 0, 7 - stage + round}));
            EXPECT_EQ(tasks[1], (Task{Pass::backward, 0, 4 + round}));
            EXPECT_EQ(tasks[2], (Task{Pass::weight, 0, 4 - stage + round}));
        }
    }
    // A single stage has no forwards ahead: the last microbatch, whose gradients are reduced, is left out.
    EXPECT_EQ(make_schedule(ScheduleKind::zb_h1, 1, 8, 1).steady.rounds, 6U);
    EXPECT_EQ(make_schedule(ScheduleKind::zb_h1, 4, 4, 1).steady.rounds, 0U)
        << "no pair behind the first four";
}

TEST(MakeSchedule, ReusesMemory) {
    PipelineSchedule schedule = make_schedule(ScheduleKind::one_f_one_b, 8, 64, 1);
    const Task* const before = schedule.tasks[0].data();
    make_schedule(ScheduleKind::interleaved, 4, 16, 2, schedule);
    EXPECT_EQ(schedule.tasks[0].data(), before);
    const PipelineSchedule fresh = make_schedule(ScheduleKind::interleaved, 4, 16, 2);
    for (std::uint32_t stage = 0; stage < 4; ++stage) EXPECT_EQ(schedule.tasks[stage], fresh.tasks[stage]);
    EXPECT_EQ(schedule.steady.begin, fresh.steady.begin);
    make_schedule(ScheduleKind::one_f_one_b, 8, 64, 1, schedule);
    EXPECT_EQ(schedule.tasks[0].data(), before);
}

TEST(MakeSchedule, RefusesWhatDoesNotExist) {
    EXPECT_THROW(make_schedule(ScheduleKind::interleaved, 1, 8, 2), ModelError);
    EXPECT_THROW(make_schedule(ScheduleKind::interleaved, 4, 6, 2), ModelError);
    EXPECT_THROW(make_schedule(ScheduleKind::gpipe, 4, 8, 2), ModelError);
    EXPECT_THROW(make_schedule(ScheduleKind::one_f_one_b, 4, 8, 2), ModelError);
}

TEST(Peers, AreEachOthers) {
    for (const Shape& shape : shapes()) {
        const PipelineSchedule schedule = make(shape);
        int ends = 0;
        for (std::uint32_t stage = 0; stage < shape.stages; ++stage) {
            for (const Task& task : schedule.tasks[stage]) {
                if (task.pass == Pass::weight) continue;  // hands nothing on
                const Peer to = destination_of(task, stage, schedule);
                ends += to.kind == Peer::Kind::none ? 1 : 0;
                if (to.kind == Peer::Kind::none) continue;
                const Peer back = source_of(to.task, to.stage, schedule);
                EXPECT_EQ(back.stage, stage);
                EXPECT_EQ(back.task, task);
            }
        }
        EXPECT_EQ(ends, 2 * static_cast<int>(shape.microbatches));  // the last forward and the first backward
    }
}

TEST(Peers, HandOverLocallyWithOneStage) {
    PipelineSchedule schedule{1, 2, 1, {}, {}};
    EXPECT_EQ(destination_of({Pass::forward, 0, 0}, 0, schedule).kind, Peer::Kind::local);
    EXPECT_EQ(destination_of({Pass::forward, 1, 0}, 0, schedule).kind, Peer::Kind::none);
    EXPECT_EQ(source_of({Pass::backward, 0, 0}, 0, schedule).kind, Peer::Kind::local);
    EXPECT_EQ(source_of({Pass::weight, 0, 0}, 0, schedule).kind, Peer::Kind::none);
}

TEST(ForwardSchedule, TakesTheMicrobatchesOfAStepInOrderThenThoseOfTheNext) {
    PipelineSchedule schedule = make_schedule(ScheduleKind::interleaved, 2, 4, 2);
    make_forward_schedule(3, 2, 2, schedule);
    const std::vector<Task> expected{
        {Pass::forward, 0, 0}, {Pass::forward, 0, 1}, {Pass::forward, 1, 0}, {Pass::forward, 1, 1}};
    for (std::uint32_t stage = 0; stage < 3; ++stage) EXPECT_EQ(schedule.tasks[stage], expected);
    EXPECT_TRUE(schedule.forward_only);
    EXPECT_EQ(schedule.steady.rounds, 0U) << "nothing is left of what was there before";
    // What leaves the last stage in a step is what the first one takes in the next.
    const Peer next = destination_of({Pass::forward, 0, 1}, 2, schedule);
    EXPECT_EQ(next.kind, Peer::Kind::stage);
    EXPECT_EQ(next.stage, 0U);
    EXPECT_EQ(next.task, (Task{Pass::forward, 1, 1}));
    EXPECT_EQ(destination_of({Pass::forward, 1, 1}, 2, schedule).kind, Peer::Kind::none);
}

TEST(ForwardSchedule, HasAnIdentityOfItsOwn) {
    std::set<std::uint64_t> identities;
    PipelineSchedule schedule;
    std::size_t made = 0;
    for (std::uint32_t stages = 1; stages <= 4; ++stages) {
        for (std::uint32_t steps = 1; steps <= 8; ++steps) {
            make_forward_schedule(stages, 4, steps, schedule);
            identities.insert(schedule.identity);
            ++made;
        }
        for (const auto kind : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::zb_h1}) {
            make_schedule(kind, stages, 4, 1, schedule);
            EXPECT_FALSE(schedule.forward_only);
            identities.insert(identity_of(kind, schedule));
            ++made;
        }
    }
    EXPECT_EQ(identities.size(), made);
}

}  // namespace
}  // namespace dse::graph
