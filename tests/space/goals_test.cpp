#include "dse/space/goals.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::space {
namespace {

using metrics::Direction;
using ::testing::ElementsAre;

TEST(Goals, AreOfMetricsAndOfWhatStandsBesideThem) {
    const Goals goals{{{"energy"}, {"area"}, {"speed", Direction::maximize}}, {"speed", "area"}};
    Record record;
    record.metrics.energy = 3.0;
    record.more = {7.0, 2.0};
    EXPECT_THAT(goals.costs(record), ElementsAre(3.0, 2.0, -7.0));
    record.more.pop_back();
    EXPECT_TRUE(std::isnan(goals.costs(record)[1]));
}

TEST(Goals, RefuseWhatNobodyAnswers) {
    EXPECT_THROW((Goals{{{"area"}}, {"speed"}}), InputError);
    EXPECT_TRUE((Goals{{}, {}}.empty()));
}

}  // namespace
}  // namespace dse::space
