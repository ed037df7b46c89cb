#include "synth/least_squares.hpp"

#include <gtest/gtest.h>

namespace dse::synth {
namespace {

TEST(LeastSquares, ALineIsFound) {
    // y = 1 + 2 a − 3 b
    const LinearFit fit = least_squares({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {1, 3, -2, 0}, 1e-12);
    EXPECT_NEAR(fit.intercept, 1.0, 1e-9);
    EXPECT_NEAR(fit.slopes[0], 2.0, 1e-9);
    EXPECT_NEAR(fit.slopes[1], -3.0, 1e-9);
    EXPECT_NEAR(fit.at({2, 2}), -1.0, 1e-9);
}

TEST(LeastSquares, ThePenaltyShrinksSlopes) {
    // Sum of x² about the mean is 2, x·y 4: the slope is 4 / (2 + 2).
    const LinearFit fit = least_squares({{-1}, {0}, {1}}, {-2, 0, 2}, 2.0);
    EXPECT_NEAR(fit.slopes[0], 1.0, 1e-12);
}

TEST(LeastSquares, AColumnThatNeverVariesHasNoSlope) {
    const LinearFit fit = least_squares({{5, 0}, {5, 1}}, {1, 2}, 1e-9);
    EXPECT_EQ(fit.slopes[0], 0.0);
    EXPECT_NEAR(fit.at({5, 1}), 2.0, 1e-6);
}

TEST(LeastSquares, Correlation) {
    EXPECT_NEAR(pearson({1, 2, 3}, {2, 4, 6}), 1.0, 1e-12);
    EXPECT_NEAR(pearson({1, 2, 3}, {3, 2, 1}), -1.0, 1e-12);
    EXPECT_EQ(pearson({1, 2, 3}, {4, 4, 4}), 0.0);
    EXPECT_EQ(pearson({}, {}), 0.0);
}

}  // namespace
}  // namespace dse::synth
