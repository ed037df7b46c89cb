#include "dse/sim/fold/rate_player.hpp"

#include <gtest/gtest.h>

#include "support/small_graph.hpp"

namespace dse::sim::fold {
namespace {

using graph::ScheduleKind;

/// Two stages, forwards of 1 and `second`, messages of 1/4; nothing played yet but the first microbatch.
class RatePlayerTest : public ::testing::Test {
  protected:
    void make(double second) {
        made_.pipeline(ScheduleKind::gpipe, 2, 8);
        const graph::RegionId backward = made_.pass(2);
        const graph::RegionId slow = made_.pass(second);
        made_.program(made_.pass(1), backward);
        made_.program(slow, backward);
        made_.graph.program_of = {0, 1};
        made_.finish(0.25);
        table_.reset(made_.graph);
        regions_.reset(made_.graph, {&made_.durations}, table_);
        program_.compile(made_.graph.schedule, made_.durations);
        player_.reset(made_.graph, made_.durations, program_, regions_, table_);
        rates_.reset(player_);
        rates_.start();
    }

    /// The step that plays a stage's task.
    std::size_t step_of(std::uint32_t stage, std::uint32_t task) {
        std::uint32_t before = 0;
        for (std::size_t i = 0; i < program_.steps().size(); ++i) {
            const Step& step = program_.steps()[i];
            if (step.kind == Step::Kind::task && step.stage == stage && before++ == task) return i;
        }
        return program_.steps().size();
    }

    test::SmallGraph made_;
    RegionTable table_;
    RegionOperators regions_;
    ScheduleProgram program_;
    SchedulePlayer player_;
    RatePlayer rates_;
};

// Stage 1 is free at 5 and its message is there at 3: it waits for itself. The message comes 1/2 later a
// period, the stage is free 1/8 later: they meet after 2 / (3/8) = 5.33 periods.
TEST_F(RatePlayerTest, EndsWhereSomebodyElseIsWaitedFor) {
    make(2);
    const std::size_t task = step_of(1, 0);
    const Step& step = program_.steps()[task];
    player_.state().streams(1)[0] = 5;
    rates_.rates().streams(1)[0] = 0.125;
    player_.state().message(step.in) = {2.75, 2.75, 3};
    rates_.rates().message(step.in) = {0.5, 0.5, 0.5};
    rates_.play(program_.steps().subspan(task, 1));
    EXPECT_EQ(player_.state().streams(1)[0], 7.0);
    EXPECT_EQ(rates_.rates().streams(1)[0], 0.125);
    EXPECT_EQ(rates_.horizon(), 5.0);
}

// The same, but the message falls behind: it is never waited for.
TEST_F(RatePlayerTest, HasNoEndWhereNobodyCatchesUp) {
    make(2);
    const std::size_t task = step_of(1, 0);
    const Step& step = program_.steps()[task];
    player_.state().streams(1)[0] = 5;
    rates_.rates().streams(1)[0] = 0.5;
    player_.state().message(step.in) = {2.75, 2.75, 3};
    rates_.rates().message(step.in) = {0.5, 0.5, 0.5};
    rates_.play(program_.steps().subspan(task, 1));
    EXPECT_EQ(rates_.rates().streams(1)[0], 0.5);
    EXPECT_EQ(rates_.horizon(), std::numeric_limits<double>::infinity());
}

// Both are there at 5: from now on the one that grows more counts, and it always will.
TEST_F(RatePlayerTest, TakesTheFasterOfTwoThatAreEqual) {
    make(2);
    const std::size_t task = step_of(1, 0);
    const Step& step = program_.steps()[task];
    player_.state().streams(1)[0] = 5;
    rates_.rates().streams(1)[0] = 0.125;
    player_.state().message(step.in) = {4.75, 4.75, 5};
    rates_.rates().message(step.in) = {0.5, 0.5, 0.5};
    rates_.play(program_.steps().subspan(task, 1));
    EXPECT_EQ(rates_.rates().streams(1)[0], 0.5);
    EXPECT_EQ(rates_.horizon(), std::numeric_limits<double>::infinity());
}

// A message waits for its value (at 1, growing by 1), not for the send stream (0.75, growing by 1.125): two
// periods later both are at the same time.
TEST_F(RatePlayerTest, FollowsMessages) {
    make(2);
    std::size_t transfer = step_of(0, 0) + 1;
    ASSERT_EQ(program_.steps()[transfer].kind, Step::Kind::transfer);
    const Step& step = program_.steps()[transfer];
    player_.state().message(step.in) = {1, 1, 1};
    rates_.rates().message(step.in) = {1, 1, 1};
    player_.state().send_free(0) = 0.75;
    rates_.rates().send_free(0) = 1.125;
    rates_.play(program_.steps().subspan(transfer, 1));
    EXPECT_EQ(player_.state().message(step.in).end, 1.25);
    EXPECT_EQ(rates_.rates().message(step.in).end, 1.0);
    EXPECT_EQ(rates_.rates().receive_free(1), 1.0);
    EXPECT_EQ(rates_.horizon(), 2.0);
}

}  // namespace
}  // namespace dse::sim::fold
