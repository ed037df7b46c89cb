// Also tests: fold/round_inserter.cpp fold/short_program.cpp
#include "dse/sim/fold/schedule_programs.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "support/plain_pipeline.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;
using test::compiled;
using test::pipeline;

/// 160,000 tasks, none of which repeat in rounds.
TEST(SchedulePrograms, CanBeStoppedAndAreMadeAnewThen) {
    const test::SmallGraph made = pipeline(ScheduleKind::gpipe, 4, 20'000);
    const Sending sending = sending_of(made.graph);
    SchedulePrograms programs;
    {
        const CheckpointScope scope{[] { throw Stopped{"enough"}; }};
        EXPECT_THROW(programs.of(made.graph.schedule, made.durations, sending), Stopped);
    }
    EXPECT_EQ(programs.of(made.graph.schedule, made.durations, sending).steps().size(),
              compiled(made).steps().size());
}

/// All steps, with those of rounds that are not listed.
std::vector<Step> all_steps(const ScheduleProgram& program) {
    const SteadyRounds& steady = program.steady();
    const std::span<const Step> listed = program.steps();
    if (steady.rounds == 0) return {listed.begin(), listed.end()};
    std::vector<Step> steps{listed.begin(), listed.begin() + steady.marks.front()};
    std::vector<Step> made;
    for (std::uint32_t round = 0; round < steady.rounds; ++round) {
        const std::span<const Step> of_round = program.round(round, made);
        steps.insert(steps.end(), of_round.begin(), of_round.end());
    }
    steps.insert(steps.end(), listed.begin() + steady.marks.back(), listed.end());
    return steps;
}

bool are_equal(const Step& a, const Step& b) {
    return a.kind == b.kind && a.is_backward == b.is_backward && a.variant == b.variant &&
           a.stage == b.stage && a.in == b.in && a.out == b.out && a.microbatch == b.microbatch;
}

/// Expects the same program whether all rounds are listed or few. \return whether some are not listed
bool expect_same_program(const graph::PipelineSchedule& schedule, const Durations& durations,
                         Sending sending) {
    ScheduleProgram all;
    all.compile(schedule, durations, sending);
    SchedulePrograms programs;
    const ScheduleProgram& few = programs.of(schedule, durations, sending);
    const std::vector<Step> known = all_steps(all);
    const std::vector<Step> made = all_steps(few);
    EXPECT_EQ(known.size(), all.steps().size());
    EXPECT_TRUE(std::equal(known.begin(), known.end(), made.begin(), made.end(), are_equal));
    EXPECT_EQ(all.slots(), few.slots());
    const std::size_t after_all = all.steps().size() - all.before_last_passes();
    EXPECT_EQ(after_all, few.steps().size() - few.before_last_passes());
    const SteadyRounds& a = all.steady();
    const SteadyRounds& b = few.steady();
    EXPECT_EQ(a.rounds, b.rounds);
    EXPECT_EQ(a.live, b.live);
    EXPECT_EQ(a.settled, b.settled);
    EXPECT_EQ(a.sent_a_round, b.sent_a_round);
    EXPECT_EQ(a.received_a_round, b.received_a_round);
    EXPECT_EQ(a.first_task, b.first_task);
    EXPECT_EQ(a.tasks_a_round, b.tasks_a_round);
    EXPECT_EQ(a.microbatches_a_round, b.microbatches_a_round);
    for (std::uint32_t stage = 0; stage < schedule.stages; ++stage) {
        for (std::size_t position = 0; position < schedule.tasks[stage].size(); ++position)
            EXPECT_EQ(all.incoming(stage, position), few.incoming(stage, position));
        for (std::size_t variant = 0; variant < all.variants(); ++variant)
            EXPECT_EQ(all.uses(stage, variant), few.uses(stage, variant));
    }
    for (std::uint32_t end = 0; end < graph::lanes_of(schedule) * schedule.stages; ++end)
        EXPECT_EQ(all.first_slot(end), few.first_slot(end));
    return b.listed() < b.rounds;
}

// Whichever messages hold their senders, and whether they wait for lanes or are sent in program order.
TEST(SchedulePrograms, AreTheSameIfFewRoundsAreListed) {
    int with_few = 0;
    int programs = 0;
    for (const ScheduleKind kind : {ScheduleKind::gpipe, ScheduleKind::one_f_one_b, ScheduleKind::interleaved,
                                    ScheduleKind::zb_h1, ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
        for (const std::uint32_t stages : {1U, 2U, 3U, 4U, 6U, 8U}) {
            const bool is_two_ways = graph::placement_of(kind) != graph::Placement::cyclic;
            if (kind == ScheduleKind::interleaved && stages == 1) continue;
            if (kind == ScheduleKind::dualpipe && stages % 2 != 0) continue;
            for (const std::uint32_t turns : {16U, 71U, 120U}) {
                const bool by_stages = kind == ScheduleKind::interleaved || kind == ScheduleKind::dualpipe;
                const std::uint32_t microbatches = by_stages ? turns * stages : turns;
                const std::uint32_t chunks = is_two_ways ? 2 : kind == ScheduleKind::interleaved ? 3 : 1;
                graph::PipelineSchedule schedule = graph::make_schedule(kind, stages, microbatches, chunks);
                schedule.identity = graph::identity_of(kind, schedule);
                const std::size_t ends = std::size_t{graph::lanes_of(schedule)} * stages;
                for (std::uint32_t holds = 0; holds < 4; ++holds) {
                    SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", " << stages
                                                    << " stages, " << microbatches << ", holds " << holds);
                    Durations durations;
                    for (std::uint32_t i = 0; i < ends; ++i) {
                        const auto held = [&](std::uint32_t way) {
                            return (i + holds / way) % 3 == 1 ? 0.5 : 0.0;
                        };
                        durations.forward.push_back({1.0, holds == 0 ? 0.0 : held(1)});
                        durations.backward.push_back({1.0, holds == 0 ? 0.0 : held(2)});
                    }
                    ++programs;
                    with_few += expect_same_program(schedule, durations, Sending::on_lanes) ? 1 : 0;
                    static_cast<void>(expect_same_program(schedule, durations, Sending::in_program_order));
                }
            }
        }
    }
    EXPECT_GT(with_few, programs / 3);
}

// 1F1B with 4 stages lists 20 rounds, whatever it has.
TEST(SchedulePrograms, DoNotGrowWithMicrobatches) {
    const test::SmallGraph some = pipeline(ScheduleKind::one_f_one_b, 4, 200);
    const test::SmallGraph many = pipeline(ScheduleKind::one_f_one_b, 4, 20'000);
    SchedulePrograms programs;
    const ScheduleProgram of_some = programs.of(some.graph.schedule, some.durations, Sending::on_lanes);
    const ScheduleProgram of_many = programs.of(many.graph.schedule, many.durations, Sending::on_lanes);
    EXPECT_EQ(of_some.steps().size(), of_many.steps().size());
    EXPECT_EQ(of_many.steady().rounds, of_some.steady().rounds + 19'800);
}

TEST(SchedulePrograms, AreSharedByEqualSchedules) {
    const test::SmallGraph a = pipeline(ScheduleKind::one_f_one_b, 4, 8);
    test::SmallGraph b = pipeline(ScheduleKind::one_f_one_b, 4, 8);
    const test::SmallGraph other = pipeline(ScheduleKind::one_f_one_b, 4, 9);
    SchedulePrograms programs;
    const std::size_t steps = programs.of(a.graph.schedule, a.durations, Sending::on_lanes).steps().size();
    const Step* const first = programs.of(a.graph.schedule, a.durations, Sending::on_lanes).steps().data();
    EXPECT_EQ(programs.of(b.graph.schedule, b.durations, Sending::on_lanes).steps().data(), first);
    EXPECT_GT(programs.of(other.graph.schedule, other.durations, Sending::on_lanes).steps().size(), steps);
    EXPECT_NE(programs.of(b.graph.schedule, b.durations, Sending::in_program_order).steps().data(), first);
    // A transfer that keeps its sender waiting is another program.
    b.durations.forward[1] = {1.0, 1.0};
    EXPECT_NE(programs.of(b.graph.schedule, b.durations, Sending::on_lanes).steps().data(), first);
}

/// One of three programs has to go: the one that was not used for the longest time.
TEST(SchedulePrograms, ForgetTheOldestOnes) {
    std::vector<test::SmallGraph> made;
    for (const std::uint32_t microbatches : {8, 9, 10})
        made.push_back(pipeline(ScheduleKind::one_f_one_b, 4, microbatches));
    SchedulePrograms programs{compiled(made[0]).steps().size() + compiled(made[2]).steps().size()};
    const auto first_step = [&](const test::SmallGraph& of) {
        return programs.of(of.graph.schedule, of.durations, Sending::on_lanes).steps().data();
    };
    const Step* const first = first_step(made[0]);
    first_step(made[1]);
    EXPECT_EQ(first_step(made[0]), first);
    const Step* const third = first_step(made[2]);
    EXPECT_EQ(first_step(made[0]), first) << "used more recently than the second";
    EXPECT_EQ(first_step(made[2]), third);
    EXPECT_EQ(programs.latest_number(), 4U) << "compiled by the fourth use";
    first_step(made[1]);
    EXPECT_EQ(programs.latest_number(), 7U) << "compiled again";
}

TEST(SchedulePrograms, OfUnknownSchedulesAreMadeEachTime) {
    test::SmallGraph made = pipeline(ScheduleKind::gpipe, 2, 2);
    made.graph.schedule.identity = 0;
    SchedulePrograms programs;
    const std::size_t before =
        programs.of(made.graph.schedule, made.durations, Sending::on_lanes).steps().size();
    made.pipeline(ScheduleKind::gpipe, 2, 3);
    EXPECT_GT(programs.of(made.graph.schedule, made.durations, Sending::on_lanes).steps().size(), before);
}

}  // namespace
}  // namespace dse::sim::fold
