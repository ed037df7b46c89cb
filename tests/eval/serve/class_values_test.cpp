#include "eval/serve/class_values.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/graph/class_columns.hpp"
#include "support/soft_equal.hpp"

namespace dse::eval {
namespace {

/// 3 of 4 requests answered, 2 of them in time, within 10 s: 0.2 a second, and half of those sent.
TEST(ClassValues, StandInTheOrderOfTheirColumns) {
    serving::ClassOutcome chat;
    chat.answered = 3;
    chat.good = 2;
    chat.refused = 1;
    chat.worst_level = 1.5;
    for (auto& statistics : chat.latency) statistics.fill(7.0);
    chat.latency[serving::Latency::ttft] = {1.0, 2.0, 3.0, 4.0, 5.0};
    chat.latency[serving::Latency::e2e][4] = 9.0;
    serving::Outcome outcome;
    outcome.duration = 10.0;
    outcome.classes = {chat, {}};
    const std::vector<double> values = class_values(outcome, true);
    graph::Traffic traffic;
    traffic.classes.resize(2);
    ASSERT_EQ(values.size(), graph::class_columns(traffic).size());
    EXPECT_EQ(values[4], 5.0);
    EXPECT_EQ(values[14], 9.0);
    EXPECT_EQ(values[15], 3.0);
    EXPECT_SOFT_EQ(values[16], 0.2);
    EXPECT_SOFT_EQ(values[17], 0.5);
    EXPECT_EQ(values[18], 1.5);
    EXPECT_TRUE(std::isnan(values[19 + 17])) << "no request of the class was sent";
    EXPECT_TRUE(std::isnan(class_values(outcome, false)[16])) << "no level is stated";
}

}  // namespace
}  // namespace dse::eval
