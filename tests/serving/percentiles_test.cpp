#include "dse/serving/percentiles.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

/// numpy.percentile([7, 1, 3, 10], [50, 90, 95, 99]) = 5, 9.1, 9.55, 9.91.
TEST(Percentiles, AreLinearBetweenRanks) {
    std::vector<double> values{7, 1, 3, 10};
    const Statistics found = statistics(values);
    EXPECT_SOFT_EQ(found[0], 5.25);
    EXPECT_SOFT_EQ(found[1], 5.0);
    EXPECT_SOFT_EQ(found[2], 9.1);
    EXPECT_SOFT_EQ(found[3], 9.55);
    EXPECT_SOFT_EQ(found[4], 9.91);
}

TEST(Percentiles, OfNoneAreNaN) {
    std::vector<double> none;
    EXPECT_TRUE(std::isnan(statistics(none)[4]));
    EXPECT_TRUE(std::isnan(statistics(none)[0]));
}

}  // namespace
}  // namespace dse::serving
