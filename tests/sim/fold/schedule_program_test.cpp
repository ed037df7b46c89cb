// Also tests: fold/steady_rounds.cpp
#include "dse/sim/fold/schedule_program.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/plain_pipeline.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;
using test::compiled;
using test::pipeline;

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

}  // namespace
}  // namespace dse::sim::fold
