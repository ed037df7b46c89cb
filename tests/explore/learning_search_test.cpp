#include "explore/learning_search.hpp"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "explore/sample_problem.hpp"

namespace dse::explore::test {
namespace {

/// Every method that learns, alone and in a row. What proves is a search of its own.
std::vector<std::string> methods() {
    std::vector<std::string> names{"[nsga2, refine]"};
    for (const auto& row : searches().rows()) {
        if (row.make != nullptr && row.name != "proven") names.push_back(row.name);
    }
    // It asks for points by two fidelities, and has tests of its own.
    std::erase(names, "screen");
    return names;
}

class EveryMethod : public testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] static std::string search(const std::string& more) {
        return fmt::format("{{method: {}, {}}}", GetParam(), more);
    }
    /// Where there is no better neighbour, or no best point that could have one.
    [[nodiscard]] static bool ends_early() { return GetParam().find("refine") != std::string::npos; }
};

TEST_P(EveryMethod, FindsTheSameWithTheSameSeed) {
    const Found found = search_for(valleys(search("budget: 200, seed: 3")), two_costs, two_valleys);
    const Found again = search_for(valleys(search("budget: 200, seed: 3")), two_costs, two_valleys);
    const Found other = search_for(valleys(search("budget: 200, seed: 4")), two_costs, two_valleys);
    EXPECT_EQ(found.state, again.state);
    EXPECT_EQ(found.points(), again.points());
    EXPECT_NE(found.points(), other.points());
}

TEST_P(EveryMethod, OfABudgetOfOneAsksForOnePoint) {
    EXPECT_EQ(search_for(valleys(search("budget: 1")), two_costs, two_valleys).records.size(), 1U);
}

TEST_P(EveryMethod, OfOnePointAsksForIt) {
    const auto space = space::parse_space("axes: {x: [3], y: [4]}\nsearch: " + search("budget: 10"));
    EXPECT_EQ(search_for(space, two_costs, two_valleys).records.size(), 1U);
}

TEST_P(EveryMethod, ASpaceWithoutPointsIsSoonSearched) {
    const auto space =
        space::parse_space("axes: {x: [3], y: [4]}\nrequire: [x > y]\nsearch: " + search("budget: 10"));
    EXPECT_TRUE(search_for(space, two_costs, two_valleys).records.empty());
}

TEST_P(EveryMethod, ABudgetAboveTheSpaceAsksForNothingTwice) {
    const auto space =
        space::parse_space("axes: {x: {from: 0, to: 6}, y: {from: 0, to: 6}}\nrequire: [x != y]\nsearch: " +
                           search("budget: 1000, population: 8"));
    const std::size_t asked = search_for(space, two_costs, two_valleys).records.size();
    EXPECT_LE(asked, 42U);
    EXPECT_GE(asked, ends_early() ? 8U : 42U);
}

TEST_P(EveryMethod, WithoutAFeasiblePointGoesOnToItsEnd) {
    const auto none = [](const space::Point&, space::Record& record) {
        record.status = space::Status::outside_validity;
    };
    const std::size_t asked = search_for(valleys(search("budget: 150")), two_costs, none).records.size();
    EXPECT_LE(asked, 150U);
    EXPECT_GE(asked, ends_early() ? 100U : 150U);
}

TEST_P(EveryMethod, ConstantAndTiedObjectivesAreNoTrouble) {
    const auto constant = [](const space::Point& point, space::Record& record) {
        record.metrics.iteration_time = 1.0;
        record.metrics.energy = point.values[0] < 20 ? 2.0 : 3.0;
    };
    const Found found = search_for(valleys(search("budget: 150, population: 20")), two_costs, constant);
    EXPECT_GE(found.records.size(), 20U);
}

TEST_P(EveryMethod, AnObjectiveWithoutAValueIsNoAnswer) {
    const auto partly = [](const space::Point& point, space::Record& record) {
        two_valleys(point, record);
        if (point.values[0] < 20) record.metrics.energy = std::numeric_limits<double>::quiet_NaN();
    };
    const Found found = search_for(valleys(search("budget: 300, population: 30")), two_costs, partly);
    for (const auto& point : found.front(two_costs)) EXPECT_GE(point[0], 20.0);
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, testing::ValuesIn(methods()));

TEST(LearningSearch, IsDrivenToWhatIsFeasible) {
    const auto space = valleys("{method: nsga2, budget: 400, population: 20}",
                               "where: [energy <= 30, iteration_time >= 100]");
    const Found found = search_for(space, two_costs, two_valleys);
    const auto feasible = std::ranges::count_if(found.records, [](const space::Record& record) {
        return record.metrics.energy <= 30 && record.metrics.iteration_time >= 100;
    });
    // About π · 30 of 1,271 points, the other valley being 22 away: 30 of 400 at random.
    EXPECT_GT(feasible, 60);
}

TEST(LearningSearch, GivesWhatOneMethodLeavesToTheNext) {
    // The valley is at its bottom long before refine has had its half.
    const auto space = valleys("{method: [refine, nsga2], budget: 1000, population: 10}");
    EXPECT_EQ(search_for(space, {{"iteration_time"}}, two_valleys).records.size(), 1000U);
}

TEST(LearningSearch, RefusesWhatItCannotSearch) {
    EXPECT_THROW(search_for(valleys("{method: nsga2, budget: 10}"), {}, two_valleys), InputError);
    const auto continuous =
        space::parse_space("axes: {x: {from: 0.0, to: 1.0}}\nsearch: {method: nsga2, budget: 10}");
    EXPECT_THROW(search_for(continuous, two_costs, two_valleys), InputError);
}

}  // namespace
}  // namespace dse::explore::test
