#include "explore/screen_margin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::explore {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(ScreenMargin, IsWhatPointsAnsweredByBothSay) {
    ScreenMargin margin{2};
    EXPECT_THAT(margin.best(std::vector{10.0, -4.0}), ElementsAre(10.0, -4.0)) << "nothing is learnt yet";
    margin.learn(std::vector{10.0, -4.0}, std::vector{12.0, -4.0});
    margin.learn(std::vector{10.0, -4.0}, std::vector{8.0, -6.0});
    // Ratios 0.8 to 1.2, and 1 to 1.5, with a tenth of their range in reserve.
    EXPECT_THAT(margin.best(std::vector{100.0, -2.0}), ElementsAre(DoubleEq(76.0), DoubleEq(-3.1)));
}

TEST(ScreenMargin, LearnsNothingFromNothing) {
    ScreenMargin margin{1};
    margin.learn(std::vector{0.0}, std::vector{3.0});
    EXPECT_THAT(margin.best(std::vector{5.0}), ElementsAre(5.0));
}

}  // namespace
}  // namespace dse::explore
