#include "dse/eval/advice/staircase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "dse/eval/evaluator.hpp"
#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

constexpr const char* axes =
    "axes: {tp: [1, 2, 4, 8], pp: [1, 2], microbatch: [1, 2], recompute: [none, full]}\n";

class StaircaseTest : public testing::Test {
  protected:
    StaircaseTest() : sweep_{files_.load(test::SweepFiles::llama(axes))} {}

    /// tp 8, pp 2, microbatch 1, full recomputation: it fits, and is slow.
    [[nodiscard]] space::Point slow() const {
        space::Point point;
        point.id = 3 * sweep_.space->stride(0) + sweep_.space->stride(1) + sweep_.space->stride(3);
        EXPECT_TRUE(sweep_.space->point(point.id, point));
        return point;
    }
    [[nodiscard]] double fastest() const {
        Evaluator evaluator{sweep_};
        double best = std::numeric_limits<double>::infinity();
        for (const space::Point& point : test::points_of(sweep_)) {
            space::Record record;
            evaluator.evaluate(record.point = point, record);
            if (record.status == space::Status::ok) best = std::min(best, record.metrics.iteration_time);
        }
        return best;
    }

    test::SweepFiles files_;
    study::Sweep sweep_;
};

TEST_F(StaircaseTest, LeadsToTheFastestInStepsThatEachSave) {
    const Staircase staircase = climb(sweep_, slow());
    EXPECT_TRUE(staircase.complete);
    EXPECT_EQ(staircase.points, 32U);
    ASSERT_FALSE(staircase.stairs.empty());
    double time = staircase.from.iteration_time;
    for (const Stair& stair : staircase.stairs) {
        EXPECT_LT(stair.metrics.iteration_time, time);
        EXPECT_FALSE(stair.axes.empty());
        time = stair.metrics.iteration_time;
    }
    EXPECT_EQ(time, fastest());
}

/// Of the single changes towards the fastest layout.
TEST_F(StaircaseTest, BeginsWithTheChangeThatSavesMost) {
    const space::Point from = slow();
    const Staircase staircase = climb(sweep_, from);
    ASSERT_FALSE(staircase.stairs.empty());
    const space::Point& goal = staircase.stairs.back().point;
    Evaluator evaluator{sweep_};
    double best = staircase.from.iteration_time;
    for (const space::Point& point : test::points_of(sweep_)) {
        std::size_t changes = 0;
        std::size_t towards = 0;
        for (std::size_t axis = 0; axis < sweep_.space->axes().size(); ++axis) {
            if (point.values[axis] == from.values[axis]) continue;
            ++changes;
            if (point.values[axis] == goal.values[axis]) ++towards;
        }
        if (changes != 1 || towards != 1) continue;
        space::Record record;
        evaluator.evaluate(point, record);
        if (record.status == space::Status::ok) best = std::min(best, record.metrics.iteration_time);
    }
    ASSERT_LT(best, staircase.from.iteration_time);
    EXPECT_EQ(staircase.stairs.front().axes.size(), 1U);
    EXPECT_EQ(staircase.stairs.front().metrics.iteration_time, best);
}

TEST_F(StaircaseTest, ClimbsWhereThereAreTooManyPoints) {
    const Staircase staircase = climb(sweep_, slow(), 10);
    EXPECT_FALSE(staircase.complete);
    ASSERT_FALSE(staircase.stairs.empty());
    EXPECT_EQ(staircase.stairs.back().metrics.iteration_time, fastest());
}

TEST_F(StaircaseTest, TheFastestHasNothingToClimb) {
    const space::Point best = climb(sweep_, slow()).stairs.back().point;
    EXPECT_TRUE(climb(sweep_, best).stairs.empty());
}

/// A bar of ±1.2816 deviations; two steps without a common error differ by sqrt(2) times as much.
TEST(ProbabilityFaster, FollowsFromTheErrorOfTheRatio) {
    constexpr double deviation = 0.05;
    const auto with_bar = [](double time, double longer = 1.0) {
        metrics::Metrics metrics;
        metrics.iteration_time = time;
        metrics.iteration_time_low = longer * time * std::exp(-1.2815515655446004 * deviation);
        metrics.iteration_time_high = longer * time * std::exp(1.2815515655446004 * deviation);
        return metrics;
    };
    EXPECT_NEAR(probability_faster(with_bar(1.0), with_bar(1.0), 0.4), 0.5, 1e-12);
    // One deviation of the ratio: 84.13 %.
    const double apart = std::exp(deviation * std::sqrt(2.0));
    EXPECT_NEAR(probability_faster(with_bar(apart), with_bar(1.0), 0.0), 0.841344746, 1e-8);
    // Three quarters in common: sqrt(0.5), half as much.
    EXPECT_NEAR(probability_faster(with_bar(apart), with_bar(1.0), 0.75), 0.977249868, 1e-8);
    // Of bars around a longer time, what leads by as much leads by nothing.
    EXPECT_NEAR(probability_faster(with_bar(1.5), with_bar(1.0, 1.5), 0.4), 0.5, 1e-12);
    EXPECT_NEAR(probability_faster(with_bar(apart, 1.5), with_bar(1.0, 1.5), 0.0), 0.841344746, 1e-8);
    EXPECT_TRUE(std::isnan(probability_faster(metrics::Metrics{}, metrics::Metrics{}, 0.4)));
    EXPECT_TRUE(std::isnan(probability_faster(metrics::Metrics{}, with_bar(1.0), 0.4)));
}

}  // namespace
}  // namespace dse::eval
