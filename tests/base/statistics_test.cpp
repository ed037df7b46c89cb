#include "dse/base/statistics.hpp"

#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse {
namespace {

using Row = std::vector<double>;

TEST(Statistics, MeanOfNoneIsNotANumber) {
    EXPECT_EQ(mean(Row{1, 2, 6}), 3.0);
    EXPECT_TRUE(std::isnan(mean(Row{})));
}

/// numpy.percentile([7, 1, 3, 10], [0, 50, 90, 100]) = 1, 5, 9.1, 10.
TEST(Statistics, PercentilesAreLinearBetweenRanks) {
    Row values{7, 1, 3, 10};
    EXPECT_EQ(percentile(values, 0.0), 1.0);
    EXPECT_DOUBLE_EQ(percentile(values, 0.5), 5.0);
    EXPECT_DOUBLE_EQ(percentile(values, 0.9), 9.1);
    EXPECT_EQ(percentile(values, 1.0), 10.0);
}

TEST(Statistics, PercentilesOfOneValueAreThatAndOfNoneNotANumber) {
    Row one{4};
    EXPECT_EQ(percentile(one, 0.99), 4.0);
    Row none;
    EXPECT_TRUE(std::isnan(percentile(none, 0.5)));
}

// Bit for bit, whatever the order of the values and however often they occur.
TEST(Statistics, PercentilesTogetherAreThoseOneByOne) {
    constexpr std::array<double, 5> shares{0.0, 0.5, 0.5, 0.9, 0.99};
    for (const int count : {0, 1, 2, 101, 1000}) {
        Row values;
        for (int i = 0; i < count; ++i) values.push_back(0.1 * ((i * 7919) % 313));
        Row together = values;
        std::array<double, shares.size()> found{};
        percentiles(together, shares, found);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            const double alone = percentile(values, shares[i]);
            EXPECT_TRUE(found[i] == alone || (std::isnan(found[i]) && std::isnan(alone))) << count;
        }
    }
}

/// Weights 1, 1, 2, together 4: half of them is reached at the second value, nine tenths at the third.
TEST(Statistics, WeightedQuantilesAreValuesThatOccur) {
    EXPECT_EQ(weighted_quantile({{9.0, 2.0}, {1.0, 1.0}, {4.0, 1.0}}, 0.5), 4.0);
    EXPECT_EQ(weighted_quantile({{9.0, 2.0}, {1.0, 1.0}, {4.0, 1.0}}, 0.9), 9.0);
    EXPECT_EQ(weighted_quantile({{3.0, 0.2}}, 0.0), 3.0);
    EXPECT_TRUE(std::isnan(weighted_quantile({}, 0.5)));
}

TEST(Statistics, EqualNumbersShareTheirRanks) {
    EXPECT_THAT(ranks(Row{7, 5, 9, 5}), testing::ElementsAre(2, 0.5, 3, 0.5));
    EXPECT_TRUE(ranks(Row{}).empty());
    EXPECT_EQ(ranks(Row{NAN, NAN}).size(), 2U) << "no answer, but an end";
}

/// Deviations -1 0 1 and -2 1 1: 3 / sqrt(2 · 6).
TEST(Statistics, CorrelationIsOfDeviations) {
    EXPECT_DOUBLE_EQ(correlation(Row{1, 2, 3}, Row{1, 4, 4}), 3.0 / std::sqrt(12.0));
    EXPECT_DOUBLE_EQ(correlation(Row{1, 2, 3}, Row{9, 5, 1}), -1.0);
    EXPECT_TRUE(std::isnan(correlation(Row{1, 2, 3}, Row{7, 7, 7})));
}

}  // namespace
}  // namespace dse
