#include "dse/sim/durations.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/small_graph.hpp"

namespace dse::sim {
namespace {

TEST(Quantise, RoundsToTheQuantum) {
    EXPECT_EQ(quantise(0.0), 0.0);
    EXPECT_EQ(quantise(1.0), 1.0);
    EXPECT_EQ(quantise(0.4 * time_quantum), 0.0);
    EXPECT_EQ(quantise(0.6 * time_quantum), time_quantum);
    EXPECT_EQ(quantise(1.5 * time_quantum), 2 * time_quantum);  // halves to even
    EXPECT_EQ(quantise(quantise(1e-3)), quantise(1e-3));
}

/// What it is for: sums do not depend on their order.
TEST(Quantise, MakesSumsExact) {
    const double a = quantise(0.1);
    const double b = quantise(1e-7);
    const double c = quantise(8000.3);
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ(c + b - c, b);
}

TEST(Quantise, RefusesWhatIsNoDuration) {
    EXPECT_THROW(quantise(-1e-9), ModelError);
    EXPECT_THROW(quantise(1e4), ModelError);
    EXPECT_THROW(quantise(std::numeric_limits<double>::quiet_NaN()), ModelError);
    EXPECT_THROW(quantise(std::numeric_limits<double>::infinity()), ModelError);
}

class ValidateDurations : public ::testing::Test {
  protected:
    ValidateDurations() {
        made_.pipeline(graph::ScheduleKind::gpipe, 2, 1);
        made_.program(made_.pass(1), made_.pass(2));
        made_.finish(0.5, 0.25, 1);
    }
    void expect_refused() { EXPECT_THROW(validate(made_.durations, made_.graph), ContractViolation); }

    test::SmallGraph made_;
};

TEST_F(ValidateDurations, TakesGoodOnes) {
    EXPECT_NO_THROW(validate(made_.durations, made_.graph));
}

TEST_F(ValidateDurations, RefusesTimeThatIsNotQuantised) {
    made_.durations.of_work[0].duration += 1e-14;
    expect_refused();
}

TEST_F(ValidateDurations, RefusesValuesThatComeAfterTheEnd) {
    made_.durations.of_work[0].visible = 2 * made_.durations.of_work[0].duration;
    expect_refused();
}

TEST_F(ValidateDurations, RefusesMissingOnes) {
    made_.durations.of_work.pop_back();
    expect_refused();
}

TEST_F(ValidateDurations, RefusesTransfersThatHoldTooLong) {
    made_.durations.backward[1].hold = 1;
    expect_refused();
}

TEST_F(ValidateDurations, RefusesMeetingsThatHold) {
    test::SmallGraph made{2};
    made.pipeline(graph::ScheduleKind::gpipe, 2, 1);
    const graph::WorkId sum = made.collective(graph::MeshAxis::pipeline, {1, 1, 1});
    std::get<graph::Collective>(made.graph.works[sum.index()]).members = graph::Members::ends;
    const graph::RegionId finish = made.region(0, {test::SmallGraph::node(sum, {}, 1)}, {});
    made.program(made.pass(1), made.pass(2)).finish = finish;
    EXPECT_THROW(made.finish(), ContractViolation);
    // The compute stream is held by what runs on it anyway.
    made.graph.regions[finish.index()].items[0].stream = graph::compute_stream;
    EXPECT_NO_THROW(validate(made.durations, made.graph));
    made.graph.regions[finish.index()].items[0].stream = graph::StreamId{1};
    made.durations.of_work[sum.index()] = {1, 1, 0, 0.5};
    EXPECT_THROW(validate(made.durations, made.graph), ContractViolation);
}

TEST_F(ValidateDurations, RefusesLossesThatAreTooLongOrBesideAHold) {
    NodeTime& time = made_.durations.of_work[0];
    time.lost = time.duration;
    EXPECT_NO_THROW(validate(made_.durations, made_.graph));
    time.lost = 2 * time.duration;
    expect_refused();
    time.lost = time.hold = time.duration / 2;
    expect_refused();
}

TEST_F(ValidateDurations, RefusesABarrierOfNegativeLength) {
    made_.durations.barrier = -1;
    expect_refused();
}

TEST(HoldOf, IsNothingOnTheComputeStream) {
    EXPECT_EQ(hold_of({2, 2, 1}, graph::compute_stream), 0.0);
    EXPECT_EQ(hold_of({2, 2, 1}, graph::StreamId{1}), 1.0);
    EXPECT_EQ(lost_of({2, 2, 0, 1}, graph::compute_stream), 0.0);
    EXPECT_EQ(lost_of({2, 2, 0, 1}, graph::StreamId{1}), 1.0);
}

}  // namespace
}  // namespace dse::sim
