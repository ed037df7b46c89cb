// Also tests: fold/steady_rounds.cpp
#include "dse/sim/fold/schedule_program.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/random_graph.hpp"
#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using workload::ScheduleKind;

/// One kernel a pass on every stage.
test::SmallGraph pipeline(ScheduleKind kind, std::uint32_t stages, std::uint32_t microbatches,
                          std::uint32_t chunks = 1) {
    test::SmallGraph made;
    made.pipeline(kind, stages, microbatches, chunks);
    const workload::RegionId forward = made.pass(1);
    made.program(forward, made.pass(2));
    made.finish();
    return made;
}

ScheduleProgram compiled(const test::SmallGraph& made) {
    ScheduleProgram program;
    program.compile(made.graph.schedule, made.durations);
    return program;
}

TEST(ScheduleProgram, PlaysEveryTaskOnceAndNothingBeforeItsTime) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const test::TimedGraph made = test::RandomGraph{seed, {4, 2, 20, 4, 5, 1}}.make();
        ScheduleProgram program;
        program.compile(made.graph.schedule, made.durations);
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
            const workload::Task& task = made.graph.schedule.tasks[step.stage][position[step.stage]];
            ASSERT_EQ(step.variant, variant_of(task, workload::is_peeled(task, made.graph.schedule)));
            ASSERT_EQ(step.in, program.incoming(step.stage, position[step.stage]));
            ++position[step.stage];
            if (step.out != nobody) {
                ASSERT_TRUE(ready.insert(step.out).second);
            }
            if (made.graph.schedule.stages == 1) there.insert(step.out);
        }
        for (std::uint32_t i = 0; i < made.graph.schedule.stages; ++i)
            ASSERT_EQ(position[i], made.graph.schedule.tasks[i].size());
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
    EXPECT_EQ(steady.sent_a_round, (std::vector<std::uint32_t>{1, 2, 2, 1}));
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

TEST(SchedulePrograms, AreSharedByEqualSchedules) {
    test::SmallGraph a = pipeline(ScheduleKind::one_f_one_b, 4, 8);
    test::SmallGraph b = pipeline(ScheduleKind::one_f_one_b, 4, 8);
    test::SmallGraph other = pipeline(ScheduleKind::one_f_one_b, 4, 9);
    for (test::SmallGraph* made : {&a, &b, &other}) {
        made->graph.schedule.identity =
            workload::identity_of(ScheduleKind::one_f_one_b, made->graph.schedule);
    }
    SchedulePrograms programs;
    const std::size_t steps = programs.of(a.graph.schedule, a.durations).steps().size();
    const Step* const first = programs.of(a.graph.schedule, a.durations).steps().data();
    EXPECT_EQ(programs.of(b.graph.schedule, b.durations).steps().data(), first);
    EXPECT_GT(programs.of(other.graph.schedule, other.durations).steps().size(), steps);
    // A transfer that keeps its sender waiting is another program.
    b.durations.forward[1] = {1.0, 1.0};
    EXPECT_NE(programs.of(b.graph.schedule, b.durations).steps().data(), first);
}

TEST(SchedulePrograms, OfUnknownSchedulesAreMadeEachTime) {
    test::SmallGraph made = pipeline(ScheduleKind::gpipe, 2, 2);
    SchedulePrograms programs;
    const std::size_t before = programs.of(made.graph.schedule, made.durations).steps().size();
    made.pipeline(ScheduleKind::gpipe, 2, 3);
    EXPECT_GT(programs.of(made.graph.schedule, made.durations).steps().size(), before);
}

}  // namespace
}  // namespace dse::sim::fold
