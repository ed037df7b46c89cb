#include "dse/serving/gap_histogram.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

TEST(GapHistogram, PercentilesAreRightToTwoPerMille) {
    GapHistogram gaps;
    for (int i = 1; i <= 1000; ++i) gaps.add(to_ticks(1e-3 * i), 1);
    EXPECT_EQ(gaps.count(), 1000);
    EXPECT_SOFT_EQ(gaps.mean(), 0.5005);
    // Rank floor(share · 999), from 0.
    EXPECT_NEAR(gaps.percentile(0.5) / 0.500, 1.0, 0.002);
    EXPECT_NEAR(gaps.percentile(0.99) / 0.990, 1.0, 0.002);
    EXPECT_NEAR(gaps.percentile(0.0) / 0.001, 1.0, 0.002);
    EXPECT_NEAR(gaps.percentile(1.0) / 1.000, 1.0, 0.002);
}

TEST(GapHistogram, HasNoPercentilesOfNothing) {
    EXPECT_TRUE(std::isnan(GapHistogram{}.percentile(0.5)));
    EXPECT_TRUE(std::isnan(GapHistogram{}.mean()));
}

/// A run of steps is its steps one by one, also from one bin into the next.
TEST(GapHistogram, TakesManyStepsAtOnce) {
    for (const Ticks slope : {0, 1, 50, 100'000}) {
        GapHistogram together;
        together.add_steps(1000, slope, 3, 500);
        GapHistogram one_by_one;
        for (int i = 0; i < 500; ++i) one_by_one.add(1000 + slope * i, 3);
        EXPECT_EQ(together.count(), one_by_one.count());
        EXPECT_SOFT_EQ(together.mean(), one_by_one.mean());
        for (int i = 0; i <= 100; ++i)
            ASSERT_EQ(together.percentile(0.01 * i), one_by_one.percentile(0.01 * i)) << slope;
    }
}

/// Two tokens a step of 2 s, told as 1 s each: every other one comes with the one before.
TEST(GapHistogram, TokensOfAStepComeTogether) {
    GapHistogram gaps{2.0};
    gaps.add(to_ticks(1.0), 100);
    EXPECT_EQ(gaps.count(), 100);
    EXPECT_SOFT_EQ(gaps.mean(), 1.0);
    EXPECT_EQ(gaps.percentile(0.4), 0.0);
    EXPECT_NEAR(gaps.percentile(0.6), 2.0, 0.004);
}

}  // namespace
}  // namespace dse::serving
