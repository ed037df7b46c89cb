#include "eval/serve/rate_search.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

/// A server that keeps its levels up to so many times the rate: 10,000 requests in 5,000 s, 2 a second.
class RateSearch : public ::testing::Test {
  protected:
    RateSearch() {
        workload_.traffic.rate = graph::Frequency{2.0};
        workload_.levels.most[0][4] = Seconds{1.0};
        workload_.levels.rate_within = 0.01;
    }
    metrics::Metrics search(double limit) {
        const auto serve_at = [&](double times) {
            ++runs_;
            serving::Outcome outcome;
            outcome.answered = 10'000;
            outcome.sent_for = 5000.0 / times;
            outcome.worst_level = times / limit;
            return outcome;
        };
        metrics::Metrics metrics;
        best_ = add_highest_rate(workload_, serve_at(1.0), serve_at, metrics);
        return metrics;
    }

    graph::WorkloadSpec workload_;
    int runs_{0};
    std::optional<serving::Outcome> best_;
};

TEST_F(RateSearch, BracketsTheHighestRate) {
    for (const double limit : {0.03, 0.7, 1.0, 1.3, 90.0}) {
        const metrics::Metrics found = search(limit);
        EXPECT_LE(found.max_request_rate, 2.0 * limit);
        EXPECT_GT(found.max_request_rate_high, 2.0 * limit);
        EXPECT_LE(found.max_request_rate_high, 1.01 * found.max_request_rate);
        ASSERT_TRUE(best_);
        EXPECT_NEAR(10'000.0 / best_->sent_for, found.max_request_rate, 1e-9) << "the outcome at that rate";
    }
}

/// Closer than two numbers can be: 2^-52 of a factor.
TEST_F(RateSearch, EndsWhereNoNumberIsBetween) {
    workload_.levels.rate_within = 1e-300;
    const metrics::Metrics found = search(1.3);
    EXPECT_NEAR(found.max_request_rate, 2.6, 1e-12);
    EXPECT_LT(runs_, 80);
}

TEST_F(RateSearch, SaysWhereOneEndIsMissing) {
    EXPECT_EQ(search(1e-9).max_request_rate, 0.0) << "no rate keeps them";
    EXPECT_FALSE(best_);
    workload_.levels.most = {};
    workload_.levels.most[1][4] = Seconds{1.0};
    const metrics::Metrics found = search(1e9);
    EXPECT_TRUE(std::isnan(found.max_request_rate_high)) << "no rate breaks them";
    EXPECT_EQ(found.max_request_rate, 2.0 * 4096.0);
}

/// 10,000 requests at 1,000 a second arrive in 10 s, ten times the level: at more, no queue grows.
TEST_F(RateSearch, EndsWhereNoQueueGrows) {
    const metrics::Metrics far = search(1e9);
    EXPECT_NEAR(far.max_request_rate, 1000.0, 10.0);
    EXPECT_LE(far.max_request_rate, 1000.0);
    EXPECT_TRUE(std::isnan(far.max_request_rate_high));
    ASSERT_TRUE(best_);
    EXPECT_GE(best_->sent_for, 10.0);
    const metrics::Metrics near = search(490.0);
    EXPECT_NEAR(near.max_request_rate, 980.0, 10.0);
    EXPECT_GT(near.max_request_rate_high, 980.0);
}

/// At 2 a second 10,000 requests arrive in 5,000 s, less than ten times 1,000 s; at 1 a second, just.
TEST_F(RateSearch, LooksBelowAStatedRateAtWhichNoQueueGrows) {
    workload_.levels.most[0][4] = Seconds{1000.0};
    const metrics::Metrics found = search(1e9);
    EXPECT_NEAR(found.max_request_rate, 1.0, 0.01);
    EXPECT_TRUE(std::isnan(found.max_request_rate_high));
    workload_.levels.most[0][4] = Seconds{1e9};
    EXPECT_THROW(search(1e9), ModelError);
    EXPECT_EQ(search(1e-9).max_request_rate, 0.0) << "even short runs break them";
}

TEST_F(RateSearch, LooksAtAllThatLimitsAWait) {
    workload_.levels.most[0][4] = Seconds{1000.0};
    workload_.levels.most[3][0] = Seconds{10.0};
    EXPECT_NEAR(search(1e9).max_request_rate, 100.0, 1.0) << "of whole answers";
    workload_.traffic.timeout = Seconds{5.0};
    EXPECT_NEAR(search(1e9).max_request_rate, 200.0, 2.0) << "until clients give up";
    workload_.traffic.classes.resize(1);
    workload_.traffic.classes[0].levels.most[0][2] = Seconds{2.0};
    EXPECT_NEAR(search(1e9).max_request_rate, 500.0, 5.0) << "of a class";
}

TEST_F(RateSearch, RunsOnlyWhereItIsAsked) {
    workload_.levels.rate_within = 0.0;
    EXPECT_TRUE(std::isnan(search(3.0).max_request_rate));
    EXPECT_EQ(runs_, 1);
}

TEST_F(RateSearch, NeedsRequestsThatArriveOneAfterAnother) {
    serving::Outcome one;
    one.answered = 1;
    const auto serve_at = [&](double) { return one; };
    metrics::Metrics metrics;
    EXPECT_THROW(add_highest_rate(workload_, one, serve_at, metrics), ModelError);
}

TEST_F(RateSearch, NeedsARateAndLevels) {
    workload_.levels.most = {};
    EXPECT_THROW(search(3.0), ModelError);
    workload_.levels.most[0][4] = Seconds{1.0};
    workload_.traffic.clients = 3;
    EXPECT_THROW(search(3.0), ModelError);
}

}  // namespace
}  // namespace dse::eval
