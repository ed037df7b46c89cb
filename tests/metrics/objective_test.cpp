#include "dse/metrics/objective.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::metrics {
namespace {

TEST(Objective, ReadsWhatItWrites) {
    const Objective objective{.metric = "mfu", .direction = Direction::maximize};
    EXPECT_EQ(parse_objective(to_string(objective)), objective);
}

TEST(Objective, IsMinimisedUnlessItSaysOtherwise) {
    EXPECT_EQ(parse_objective("energy"), (Objective{"energy", Direction::minimize}));
    EXPECT_EQ(parse_objective("  mfu :\tmaximize "), (Objective{"mfu", Direction::maximize}));
}

TEST(Objective, RefusesUnknownNames) {
    EXPECT_THROW(parse_objective("speed_of_thought"), InputError);
    EXPECT_THROW(parse_objective(""), InputError);
    try {
        parse_objective("energy: minimise");
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("'minimize'"));
    }
}

TEST(Objectives, AreAListWithoutRepetition) {
    EXPECT_THAT(parse_objectives("iteration_time, mfu: maximize"),
                testing::ElementsAre(Objective{"iteration_time", Direction::minimize},
                                     Objective{"mfu", Direction::maximize}));
    EXPECT_THROW(parse_objectives("mfu, mfu: maximize"), InputError);
    EXPECT_THROW(parse_objectives("  "), InputError);
    EXPECT_THROW(parse_objectives("mfu,"), InputError);
}

TEST(Costs, TurnTheSignOfWhatShallBeLarge) {
    Metrics metrics;
    metrics.iteration_time = 2.0;
    metrics.mfu = 0.5;
    const std::vector<double> values =
        costs(metrics, parse_objectives("mfu: maximize, iteration_time, cost"));
    ASSERT_EQ(values.size(), 3U);
    EXPECT_EQ(values[0], -0.5);
    EXPECT_EQ(values[1], 2.0);
    EXPECT_TRUE(std::isnan(values[2]));
}

TEST(Objective, MayBeOfAMetricThatTheSweepAdds) {
    const std::vector<std::string> also{"area"};
    EXPECT_EQ(parse_objective("area: maximize", also), (Objective{"area", Direction::maximize}));
    EXPECT_EQ(parse_objective("energy", also).metric, "energy");
    EXPECT_EQ(parse_objectives("area, energy", also).size(), 2U);
    EXPECT_THROW(parse_objective("areas", also), InputError);
    EXPECT_THROW(parse_objective("area"), InputError);
}

}  // namespace
}  // namespace dse::metrics
