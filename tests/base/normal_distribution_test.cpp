#include "dse/base/normal_distribution.hpp"

#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(NormalDistribution, QuantilesOfTables) {
    EXPECT_NEAR(normal_quantile(0.5), 0.0, 1e-12);
    EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 1e-8);
    EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-8);
    EXPECT_NEAR(normal_quantile(0.999), 3.090232306167813, 1e-8);
}

/// Harter, "Expected values of normal order statistics" (1961): 1/sqrt(pi) of two, 1.42360 of eight, 2.50759
/// of a hundred.
TEST(NormalDistribution, MeansOfTheLargest) {
    EXPECT_EQ(mean_of_largest(1), 0.0);
    EXPECT_NEAR(mean_of_largest(2), 0.56419, 0.03);
    EXPECT_NEAR(mean_of_largest(8), 1.42360, 0.02);
    EXPECT_NEAR(mean_of_largest(100), 2.50759, 0.02);
    for (std::int64_t count = 1; count < 100000; count *= 2)
        EXPECT_LT(mean_of_largest(count), mean_of_largest(2 * count));
}

}  // namespace
}  // namespace dse
