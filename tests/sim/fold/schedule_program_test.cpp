// Also tests: fold/steady_rounds.cpp fold/round_inserter.cpp
#include "dse/sim/fold/schedule_program.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;

/// One kernel a pass on every stage.
test::SmallGraph pipeline(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                          std::uint32_t chunks = 1) {
    test::SmallGraph made;
    made.pipeline(kind, stages, microbatches, chunks);
    const graph::RegionId forward = made.pass(1);
    const graph::RegionId backward = made.pass(2);
    made.program(forward, backward);
    made.split_and_join(backward, made.pass(1), 3);
    made.finish();
    return made;
}

ScheduleProgram compiled(const test::SmallGraph& made) {
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    return program;
}

/// 160,000 tasks, none of which repeat in rounds.
TEST(ScheduleProgram, CanBeStoppedAndIsMadeAnewThen) {
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

TEST(ScheduleProgram, PlaysEveryTaskOnceAndNothingBeforeItsTime) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {4, 2, 20, 4, 5, 1}}.make();
        ScheduleProgram program;
        program.compile(made.graph.schedule, made.durations, sending_of(made.graph));
        std::set<std::uint32_t> there{no_value};
        std::vector<std::size_t> position(made.graph.schedule.stages);
        std::set<std::uint32_t> ready;
        for (const Step& step : program.steps()) {
            if (step.kind == Step::Kind::transfer) {
                ASSERT_EQ(ready.count(step.in), 1U);
                ASSERT_TRUE(there.insert(step.in).second);
                continue;
            }
            ASSERT_EQ(there.count(step.in), 1U);
            const std::vector<graph::Task>& tasks = made.graph.schedule.tasks[step.stage];
            const std::size_t at = position[step.stage]++;
            const bool second = step.kind == Step::Kind::second;
            ASSERT_EQ(step.variant, variant_of(tasks[second ? at - 1 : at], made.graph.schedule));
            ASSERT_EQ(step.kind == Step::Kind::pair, graph::played_together(tasks[at]) == 2);
            ASSERT_EQ(step.in, program.incoming(step.stage, at));
            if (step.out == nobody) continue;
            ASSERT_TRUE(ready.insert(step.out).second);
            const graph::Peer to = graph::destination_of(tasks[at], step.stage, made.graph.schedule);
            if (to.kind == graph::Peer::Kind::local) there.insert(step.out);
        }
        for (std::uint32_t i = 0; i < made.graph.schedule.stages; ++i)
            ASSERT_EQ(position[i], made.graph.schedule.tasks[i].size());
    }
}

// Messages that pass each other between two stages have lanes of their own, whose order suits both: also
// where a message keeps its sender until the receiver takes it.
TEST(ScheduleProgram, OfTwoWaysNeverDeadlocks) {
    for (std::uint32_t stages = 1; stages <= 16; ++stages) {
        for (std::uint32_t microbatches = 1; microbatches <= 64; ++microbatches) {
            for (const ScheduleKind kind : {ScheduleKind::zb_v, ScheduleKind::dualpipe}) {
                const bool exists = stages % 2 == 0 && microbatches % 2 == 0 && microbatches >= 2 * stages;
                if (kind == ScheduleKind::dualpipe && !exists) continue;
                const graph::PipelineSchedule schedule = graph::make_schedule(kind, stages, microbatches, 2);
                for (const double hold : {0.0, 0.5}) {
                    Durations durations;
                    durations.forward.assign(std::size_t{2} * stages, {1.0, hold});
                    durations.backward = durations.forward;
                    ScheduleProgram program;
                    ASSERT_NO_THROW(program.compile(schedule, durations)) << stages << ' ' << microbatches;
                }
            }
        }
    }
}

// GPipe with two microbatches: the last stage begins its backwards with microbatch 1, and stage 0 takes them
// in that order, so that on lanes each message waits for the task before it. In program order it is sent at
// once.
TEST(ScheduleProgram, InProgramOrderAMessageFollowsItsTask) {
    const test::SmallGraph made = pipeline(ScheduleKind::gpipe, 3, 4);
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations, Sending::in_program_order);
    const std::span<const Step> steps = program.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].kind != Step::Kind::task || steps[i].out == nobody) continue;
        ASSERT_LT(i + 1, steps.size());
        EXPECT_EQ(steps[i + 1].kind, Step::Kind::transfer);
        EXPECT_EQ(steps[i + 1].in, steps[i].out);
    }
}

// Stage i of p has p − 1 − i forwards before its pairs of one forward and one backward; the first pair and
// the last are peeled, so that of m microbatches m − p pairs of stage 0 are left.
TEST(SteadyRounds, OfOneForwardOneBackward) {
    const ScheduleProgram program = compiled(pipeline(ScheduleKind::one_f_one_b, 4, 32));
    const SteadyRounds& steady = program.steady();
    EXPECT_GE(steady.rounds, 24U);
    EXPECT_LE(steady.rounds, 28U);
    EXPECT_EQ(steady.tasks_a_round, 2U);
    EXPECT_EQ(steady.microbatches_a_round, 1U);
    // Nothing is handed over inside a stage.
    EXPECT_EQ(steady.sent_a_round, (std::vector<std::uint32_t>{1, 2, 2, 1, 0}));
    ASSERT_EQ(steady.marks.size(), steady.rounds + 1);
    // 8 tasks and the 6 messages between them.
    for (std::uint32_t r = 0; r < steady.rounds; ++r) EXPECT_EQ(steady.marks[r + 1] - steady.marks[r], 14U);
}

// What the microbatches under way have saved lives across a mark: 3, 2, 1 and 0 of stages 0 to 3, which end
// their rounds with a backward; stage 0's next forward starts from nothing, and the message that stage i's
// next task takes is on its way.
TEST(SteadyRounds, KnowWhatIsNeededLater) {
    const ScheduleProgram program = compiled(pipeline(ScheduleKind::one_f_one_b, 4, 32));
    const auto count = [&program](LiveValue::Kind kind) {
        const auto& live = program.steady().live;
        return std::count_if(live.begin(), live.end(),
                             [kind](const LiveValue& value) { return value.kind == kind; });
    };
    EXPECT_EQ(count(LiveValue::Kind::saved), 3 + 2 + 1 + 0);
    EXPECT_GE(count(LiveValue::Kind::end) + count(LiveValue::Kind::ready), 3);
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
    all.compile(schedule, durations, sending, Listed::all);
    ScheduleProgram few;
    few.compile(schedule, durations, sending, Listed::few);
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
TEST(ScheduleProgram, IsTheSameIfFewRoundsAreListed) {
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
                const graph::PipelineSchedule schedule =
                    graph::make_schedule(kind, stages, microbatches, chunks);
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
TEST(ScheduleProgram, DoesNotGrowWithMicrobatches) {
    const test::SmallGraph some = pipeline(ScheduleKind::one_f_one_b, 4, 200);
    const test::SmallGraph many = pipeline(ScheduleKind::one_f_one_b, 4, 20'000);
    ScheduleProgram of_some;
    of_some.compile(some.graph.schedule, some.durations, Sending::on_lanes, Listed::few);
    ScheduleProgram of_many;
    of_many.compile(many.graph.schedule, many.durations, Sending::on_lanes, Listed::few);
    EXPECT_EQ(of_some.steps().size(), of_many.steps().size());
    EXPECT_EQ(of_many.steady().rounds, of_some.steady().rounds + 19'800);
}

TEST(SteadyRounds, AreNotFoundWhereThereAreFew) {
    EXPECT_EQ(compiled(pipeline(ScheduleKind::one_f_one_b, 4, 6)).steady().rounds, 0U);
    EXPECT_EQ(compiled(pipeline(ScheduleKind::gpipe, 4, 60)).steady().rounds, 0U);
}

// Each round is six tasks a stage (ZB-V) or two pairs (DualPipe), and messages of both chunks.
TEST(SteadyRounds, OfTwoWays) {
    const ScheduleProgram v = compiled(pipeline(ScheduleKind::zb_v, 4, 32, 2));
    EXPECT_GE(v.steady().rounds, 20U);
    // Lane 0: forwards of stages 0 to 2, backwards of stages 1 to 3; lane 1 likewise; two inside stage 3.
    EXPECT_EQ(v.steady().sent_a_round, (std::vector<std::uint32_t>{1, 2, 2, 1, 1, 2, 2, 1, 2}));
    const ScheduleProgram dual = compiled(pipeline(ScheduleKind::dualpipe, 4, 64, 2));
    EXPECT_GE(dual.steady().rounds, 20U);
    EXPECT_EQ(dual.steady().sent_a_round, (std::vector<std::uint32_t>{1, 2, 2, 1, 1, 2, 2, 1, 0}));
}

TEST(SchedulePrograms, AreSharedByEqualSchedules) {
    test::SmallGraph a = pipeline(ScheduleKind::one_f_one_b, 4, 8);
    test::SmallGraph b = pipeline(ScheduleKind::one_f_one_b, 4, 8);
    test::SmallGraph other = pipeline(ScheduleKind::one_f_one_b, 4, 9);
    for (test::SmallGraph* made : {&a, &b, &other}) {
        made->graph.schedule.identity = graph::identity_of(ScheduleKind::one_f_one_b, made->graph.schedule);
    }
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
    for (const std::uint32_t microbatches : {8, 9, 10}) {
        made.push_back(pipeline(ScheduleKind::one_f_one_b, 4, microbatches));
        graph::PipelineSchedule& schedule = made.back().graph.schedule;
        schedule.identity = graph::identity_of(ScheduleKind::one_f_one_b, schedule);
    }
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
    SchedulePrograms programs;
    const std::size_t before =
        programs.of(made.graph.schedule, made.durations, Sending::on_lanes).steps().size();
    made.pipeline(ScheduleKind::gpipe, 2, 3);
    EXPECT_GT(programs.of(made.graph.schedule, made.durations, Sending::on_lanes).steps().size(), before);
}

}  // namespace
}  // namespace dse::sim::fold
