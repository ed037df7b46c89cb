#include "dse/metrics/regret.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::metrics {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double none = std::numeric_limits<double>::quiet_NaN();

TEST(Regrets, AreSharesOfTheBestUnderTheSameDraw) {
    // Under the first draw the second design is the best, under the second the first.
    const auto regret = regrets({{2.0, 4.0}, {1.0, 5.0}, {3.0, 8.0}}, Direction::minimize);
    EXPECT_THAT(regret, ElementsAre(ElementsAre(1.0, 0.0), ElementsAre(0.0, 0.25), ElementsAre(2.0, 1.0)));
    // Half of what could be had is a regret of 1.
    const auto more = regrets({{2.0}, {1.0}}, Direction::maximize);
    EXPECT_THAT(more, ElementsAre(ElementsAre(0.0), ElementsAre(1.0)));
}

TEST(Regrets, OfWhatHasNoAnswerAreInfinite) {
    const auto regret = regrets({{none, none}, {1.0, none}}, Direction::minimize);
    EXPECT_EQ(regret[0][0], infinite);
    EXPECT_EQ(regret[1][0], 0.0);
    EXPECT_TRUE(std::isnan(regret[0][1]));
    EXPECT_TRUE(std::isnan(regret[1][1]));
    EXPECT_TRUE(regrets({}, Direction::minimize).empty());
}

TEST(RegretSummary, IsMeanNinthTenthAndWorst) {
    const RegretSummary ten = summed_up({0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.0, none});
    EXPECT_THAT(ten.mean, DoubleNear(0.45, 1e-15));
    EXPECT_THAT(ten.p90, DoubleEq(0.8));
    EXPECT_THAT(ten.worst, DoubleEq(0.9));
    EXPECT_EQ(summed_up({0.1, infinite}).worst, infinite);
    EXPECT_TRUE(std::isnan(summed_up({none}).mean));
}

}  // namespace
}  // namespace dse::metrics
