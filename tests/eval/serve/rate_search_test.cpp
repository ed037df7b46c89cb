#include "eval/serve/rate_search.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

/// A server that keeps its levels up to so many times the rate: 100 requests in 50 s, 2 a second.
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
            outcome.answered = 100;
            outcome.sent_for = 50.0 / times;
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
        EXPECT_NEAR(100.0 / best_->sent_for, found.max_request_rate, 1e-9) << "the outcome at that rate";
    }
}

TEST_F(RateSearch, SaysWhereOneEndIsMissing) {
    EXPECT_EQ(search(1e-9).max_request_rate, 0.0) << "no rate keeps them";
    EXPECT_FALSE(best_);
    EXPECT_TRUE(std::isnan(search(1e9).max_request_rate_high)) << "no rate breaks them";
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
