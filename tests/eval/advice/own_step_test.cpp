#include "dse/eval/advice/own_step.hpp"

#include <gtest/gtest.h>

#include "dse/eval/evaluator.hpp"
#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

class OwnStepTest : public testing::Test {
  protected:
    OwnStepTest() : sweep_{files_.load(test::SweepFiles::llama("axes: {tp: [2], microbatch: [1, 2]}\n"))} {
        point_ = test::points_of(sweep_).at(0);
        before_ = time();
    }
    [[nodiscard]] double time() const { return Evaluator{sweep_}.explain(point_).result.iteration_time; }

    test::SweepFiles files_;
    study::Sweep sweep_;
    space::Point point_;
    double before_{0.0};
};

TEST_F(OwnStepTest, SlowerProductsExplainALittleMore) {
    const OwnStep step = fit_own_step(sweep_, point_, 1.1 * before_);
    EXPECT_EQ(step.predicted, before_);
    EXPECT_LT(step.low, before_);
    EXPECT_GT(step.high, before_);
    EXPECT_LT(step.rate, step.rate_before);
    EXPECT_GT(step.rate, 0.8 * step.rate_before);
    EXPECT_NEAR(step.rest, 1.0, 1e-5);
    EXPECT_NEAR(time(), 1.1 * before_, 1e-5 * before_) << "the sweep has taken it over";
}

/// At half the rate what remains is a factor.
TEST_F(OwnStepTest, WhatProductsCannotExplainIsAFactor) {
    const OwnStep step = fit_own_step(sweep_, point_, 5.0 * before_);
    EXPECT_DOUBLE_EQ(step.rate, 0.5 * step.rate_before);
    EXPECT_GT(step.rest, 2.5);
    EXPECT_DOUBLE_EQ(step.rest * time(), 5.0 * before_);
}

TEST_F(OwnStepTest, AFasterStepNeedsFasterProducts) {
    const OwnStep step = fit_own_step(sweep_, point_, 0.98 * before_);
    EXPECT_GT(step.rate, step.rate_before);
    EXPECT_LE(step.rate, 1.0);
}

}  // namespace
}  // namespace dse::eval
