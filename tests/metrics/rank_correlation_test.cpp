#include "dse/metrics/rank_correlation.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace dse::metrics {
namespace {

using Row = std::vector<double>;

TEST(RankCorrelation, IsOfTheOrderAlone) {
    EXPECT_DOUBLE_EQ(rank_correlation(Row{1, 2, 3, 4}, Row{10, 11, 1e6, 1e9}), 1.0);
    EXPECT_DOUBLE_EQ(rank_correlation(Row{1, 2, 3, 4}, Row{4, 3, 2, 1}), -1.0);
}

/// Ranks 0 1 2 3 beside 1 0 2 3: 1 - 6 · (1 + 1) / (4 · 15) = 0.8.
TEST(RankCorrelation, TwoNeighboursInTheWrongOrder) {
    EXPECT_DOUBLE_EQ(rank_correlation(Row{1, 2, 3, 4}, Row{6, 5, 7, 8}), 0.8);
}

/// Ranks 0 1 2 beside 0.5 0.5 2: deviations -1 0 1 and -0.5 -0.5 1, so 1.5 / sqrt(2 · 1.5).
TEST(RankCorrelation, EqualNumbersShareTheirRanks) {
    EXPECT_DOUBLE_EQ(rank_correlation(Row{1, 2, 3}, Row{5, 5, 6}), 1.5 / std::sqrt(3.0));
}

TEST(RankCorrelation, HasNoAnswerWhereThereIsNoOrder) {
    EXPECT_TRUE(std::isnan(rank_correlation(Row{1, 2}, Row{1, 2})));
    EXPECT_TRUE(std::isnan(rank_correlation(Row{1, 2, 3}, Row{7, 7, 7})));
}

}  // namespace
}  // namespace dse::metrics
