#include "dse/eval/error_interval.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

TEST(ErrorInterval, IndependentErrorsAddInSquares) {
    const ErrorInterval both = sum({0.5, 0.3}, {-0.1, 0.4});
    EXPECT_DOUBLE_EQ(both.shift, 0.4);
    EXPECT_DOUBLE_EQ(both.width, 0.5);
}

/// Of equal widths w, the ratio's is w sqrt(2 (1 - correlation)); of 0.3 and 0.4 without correlation 0.5, and
/// with all in common the difference.
TEST(ErrorInterval, ErrorsInCommonCancelInRatios) {
    EXPECT_DOUBLE_EQ(ratio({0.0, 0.2}, {0.0, 0.2}, 0.5).width, 0.2);
    EXPECT_DOUBLE_EQ(ratio({0.0, 0.3}, {0.0, 0.4}, 0.0).width, 0.5);
    EXPECT_DOUBLE_EQ(ratio({0.0, 0.3}, {0.0, 0.4}, 1.0).width, 0.4 - 0.3);
    EXPECT_DOUBLE_EQ(ratio({0.0, 0.2}, {0.0, 0.2}, 1.0).width, 0.0);
    EXPECT_DOUBLE_EQ(ratio({0.1, 0.2}, {0.4, 0.2}, 0.5).shift, 0.1 - 0.4);
}

TEST(ErrorInterval, ARatioToSomethingUnknownIsUnknown) {
    EXPECT_EQ(ratio({0.1, 0.2}, {}, 0.5).width, 0.0);
    EXPECT_EQ(ratio({}, {0.1, 0.2}, 0.5).shift, 0.0);
}

TEST(ErrorInterval, FollowsFromItsEnds) {
    const ErrorInterval interval = interval_between(2.0 * std::exp(0.1), 2.0 * std::exp(0.7), 2.0);
    EXPECT_NEAR(interval.shift, 0.4, 1e-12);
    EXPECT_NEAR(interval.width, 0.3, 1e-12);
    EXPECT_EQ(interval_between(std::nan(""), 3.0, 2.0).width, 0.0);
    EXPECT_EQ(interval_between(1.0, 3.0, std::nan("")).width, 0.0);
    EXPECT_EQ(interval_between(0.0, 0.0, 0.0).width, 0.0);
}

}  // namespace
}  // namespace dse::eval
