#include "dist/progress_meter.hpp"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

TEST(ProgressMeter, CountsWhatThisRunAndEarlierOnesDid) {
    ProgressMeter meter{100, 40};
    meter.add({.indices = 10, .rows = 8, .infeasible = 2, .failures = 1});
    meter.add({.indices = 5, .rows = 5});
    const Progress progress = meter.now();
    EXPECT_EQ(progress.total, 100U);
    EXPECT_EQ(progress.covered, 40U);
    EXPECT_EQ(progress.tally, (Tally{.indices = 15, .rows = 13, .infeasible = 2, .failures = 1}));
}

TEST(ProgressMeter, SaysWhenItWillBeDone) {
    ProgressMeter meter{1000, 0};
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    meter.add({.indices = 500});
    meter.sample();
    const Progress progress = meter.now();
    // 500 in at least 20 ms, and as many are left.
    EXPECT_GT(progress.rate, 0.0);
    EXPECT_LE(progress.rate, 500 / 0.020);
    EXPECT_NEAR(progress.eta_seconds * progress.rate, 500.0, 1e-6);
    EXPECT_GE(progress.seconds, 0.020);
}

TEST(ProgressMeter, KnowsNoTimeWithoutARate) {
    EXPECT_TRUE(std::isnan(ProgressMeter(10, 0).now().eta_seconds));
}

TEST(ProgressMeter, HasNothingLeftWhenIndicesWereEvaluatedTwice) {
    ProgressMeter meter{10, 0};
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    meter.add({.indices = 14});
    EXPECT_EQ(meter.now().eta_seconds, 0.0);
}

}  // namespace
}  // namespace dse::dist
