#include "dse/dist/lease_runner.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dist/sample_evaluator.hpp"
#include "dse/base/error.hpp"
#include "dse/results/memory_sink.hpp"

namespace dse::dist::test {
namespace {

using results::Coverage;
using results::MemorySink;
using testing::ElementsAre;

constexpr FlushPolicy never{.rows = 1'000'000, .interval = std::chrono::hours{1}};
constexpr std::chrono::hours long_slice{1};

TEST(LeaseRunner, CommitsWhatItFlushed) {
    SampleEvaluator evaluator;
    MemorySink sink;
    LeaseRunner runner{evaluator, sink, never};
    runner.add({0, 10});
    runner.add({10, 4});
    runner.add({100, 7});
    runner.run(long_slice);
    EXPECT_TRUE(runner.idle());
    EXPECT_TRUE(sink.records().empty());
    EXPECT_TRUE(runner.take_committed().empty());
    const auto evaluated = runner.take_evaluated();
    ASSERT_EQ(evaluated.size(), 3U);
    EXPECT_EQ(evaluated[2].range, (Range{100, 7}));
    EXPECT_GT(evaluated[2].busy_seconds, 0.0);
    runner.flush();
    EXPECT_THAT(runner.take_committed(), ElementsAre(Range{0, 14}, Range{100, 7}));
    // Of 0 … 13, 3 and 10 are dropped; of 100 … 106, 101 is (101 = 14 * 7 + 3).
    EXPECT_THAT(sink.coverage(), ElementsAre(Coverage{0, 14, 12}, Coverage{100, 7, 6}));
    EXPECT_EQ(sink.records().size(), 18U);
    EXPECT_TRUE(runner.take_committed().empty());
}

/// All points are dropped, but the one that it is stopped in the middle of.
class StoppedAtFive final : public PointEvaluator {
  public:
    bool point(std::uint64_t index, space::Point&) override { return index == 5; }
    void evaluate(const space::Point&, Fidelity, space::Record&) override { throw Stopped("in the middle"); }
};

TEST(LeaseRunner, APointThatIsGivenUpHasNoRowAndStaysOpen) {
    StoppedAtFive evaluator;
    MemorySink sink;
    LeaseRunner runner{evaluator, sink, never};
    runner.add({0, 10});
    runner.run(long_slice);
    EXPECT_FALSE(runner.idle());
    runner.drop_leases();
    runner.flush();
    EXPECT_TRUE(sink.records().empty());
    EXPECT_THAT(runner.take_committed(), ElementsAre(Range{0, 5}));
    EXPECT_EQ(runner.take_tally().indices, 5U);
}

TEST(LeaseRunner, MakesARowOfWhatAnEvaluatorThrows) {
    SampleEvaluator evaluator;
    MemorySink sink;
    LeaseRunner runner{evaluator, sink, never};
    runner.add({0, 12});  // 5 is outside the validity of a model, 11 throws something else
    runner.run(long_slice);
    runner.flush();
    for (const space::Record& record : sink.records()) {
        const auto expected = SampleEvaluator::expected(record.point.id);
        EXPECT_EQ(record.status, expected->status) << record.point.id;
        EXPECT_EQ(record.reason, expected->reason) << record.point.id;
        EXPECT_EQ(record.point.values, expected->point.values) << record.point.id;
    }
    const Tally tally = runner.take_tally();
    EXPECT_EQ(tally.indices, 12U);
    EXPECT_EQ(tally.rows, 10U);
    EXPECT_EQ(tally.failures, 1U);
    EXPECT_EQ(tally.infeasible, 3U);  // 4 and 9 are out of memory, 5 outside validity
    EXPECT_EQ(runner.take_tally(), Tally{});
}

/// Knows no point by its index.
class Doubling final : public PointEvaluator {
  public:
    bool point(std::uint64_t, space::Point&) override { return false; }
    void evaluate(const space::Point& point, Fidelity fidelity, space::Record& record) override {
        record.metrics.iteration_time = 2.0 * point.values.at(0);
        record.metrics.energy = fidelity.level;
    }
};

TEST(LeaseRunner, EvaluatesThePointsThatALeaseBrings) {
    Doubling evaluator;
    MemorySink sink;
    LeaseRunner runner{evaluator, sink, never};
    runner.add({7, 2}, {{{7, {0.5}}, {}}, {{8, {1.5}}, {3}}});
    runner.run(long_slice);
    runner.flush();
    EXPECT_THAT(runner.take_committed(), ElementsAre(Range{7, 2}));
    EXPECT_THAT(sink.coverage(), ElementsAre(Coverage{7, 2, 2}));
    ASSERT_EQ(sink.records().size(), 2U);
    EXPECT_EQ(sink.records()[0].point.id, 7U);
    EXPECT_EQ(sink.records()[0].status, space::Status::ok);
    EXPECT_EQ(sink.records()[0].metrics.iteration_time, 1.0);
    EXPECT_THAT(sink.records()[1].point.values, ElementsAre(1.5));
    EXPECT_EQ(sink.records()[1].metrics.iteration_time, 3.0);
    EXPECT_EQ(sink.records()[1].metrics.energy, 3.0);
}

TEST(LeaseRunner, LooksUpWhenItsSliceIsOver) {
    SampleEvaluator evaluator{
        [](std::uint64_t) { std::this_thread::sleep_for(std::chrono::milliseconds{1}); }};
    MemorySink sink;
    LeaseRunner runner{evaluator, sink, never};
    runner.add({0, 100000});
    runner.run(std::chrono::milliseconds{5});
    EXPECT_FALSE(runner.idle());
    EXPECT_TRUE(runner.take_evaluated().empty());
    const std::uint64_t done = runner.take_tally().indices;
    EXPECT_GE(done, 1U);
    EXPECT_LE(done, 8U);
    runner.run(std::chrono::nanoseconds{0});
    EXPECT_EQ(runner.take_tally().indices, 1U);
    runner.drop_leases();
    EXPECT_TRUE(runner.idle());
    runner.flush();
    EXPECT_THAT(runner.take_committed(), ElementsAre(Range{0, done + 1}));
}

TEST(LeaseRunner, FlushesByRowsAndByTime) {
    SampleEvaluator evaluator;
    MemorySink sink;
    LeaseRunner by_rows{evaluator, sink, {.rows = 6, .interval = std::chrono::hours{1}}};
    by_rows.add({0, 9});
    by_rows.run(long_slice);
    EXPECT_EQ(sink.records().size(), 6U);
    EXPECT_THAT(by_rows.take_committed(), ElementsAre(Range{0, 7}));

    LeaseRunner by_time{evaluator, sink, {.rows = 1000, .interval = std::chrono::milliseconds{0}}};
    by_time.add({20, 2});
    by_time.run(long_slice);
    EXPECT_THAT(by_time.take_committed(), ElementsAre(Range{20, 1}, Range{21, 1}));
}

TEST(LeaseRunner, ShowsRecordsToItsObserver) {
    SampleEvaluator evaluator;
    MemorySink sink;
    LeaseRunner runner{evaluator, sink, never};
    std::vector<std::uint64_t> seen;
    runner.observe([&](const space::Record& record) { seen.push_back(record.point.id); });
    runner.add({2, 3});
    runner.run(long_slice);
    EXPECT_THAT(seen, ElementsAre(2, 4));
}

}  // namespace
}  // namespace dse::dist::test
