#include "explore/learning_search.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

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

/// What a search found after the points of an earlier one were told to it.
Found found_after(const std::string& search, const std::vector<space::Record>& known) {
    const auto space = valleys(search);
    LearningSearch learning{space, two_costs, known};
    SearchSource source{learning, {}};
    Found found;
    while (auto trial = source.next()) {
        space::Record& record = found.records.emplace_back();
        record.point = trial->point;
        record.status = space::Status::ok;
        two_valleys(record.point, record);
        source.answer(record);
    }
    EXPECT_TRUE(source.complete());
    return found;
}

TEST(LearningSearch, BeginsWithTheBestThatIsKnown) {
    const Found earlier =
        search_for(valleys("{method: nsga2, budget: 300, seed: 1}"), two_costs, two_valleys);
    const std::set<std::vector<double>> best = earlier.front(two_costs);
    std::set<std::pair<double, double>> costs;  // of points that are equally good one is enough
    for (const space::Record& record : earlier.records) {
        if (best.contains(record.point.values))
            costs.emplace(record.metrics.iteration_time, record.metrics.energy);
    }
    for (const char* method : {"nsga2", "moead", "refine"}) {
        const std::string search =
            fmt::format("{{method: {}, budget: {}, seed: 2}}", method, costs.size() + 40);
        const Found found = found_after(search, earlier.records);
        ASSERT_GE(found.records.size(), costs.size()) << method;
        for (std::size_t i = 0; i < found.records.size(); ++i) {
            const std::vector<double>& values = found.records[i].point.values;
            EXPECT_EQ(best.contains(values), i < costs.size()) << method << " row " << i;
            EXPECT_EQ(earlier.points().contains(values), i < costs.size())
                << "known points are not asked for again";
        }
    }
}

TEST(LearningSearch, OfABudgetBelowTheKnownFrontEndsWithIt) {
    const Found earlier =
        search_for(valleys("{method: nsga2, budget: 300, seed: 1}"), two_costs, two_valleys);
    EXPECT_EQ(found_after("{method: nsga2, budget: 3}", earlier.records).records.size(), 3U);
}

/// Each point takes a second, on two ranks in turn.
void take_a_second(const space::Point& point, space::Record& record) {
    two_valleys(point, record);
    record.rank = static_cast<std::int32_t>(record.point.id % 2);
    record.wall_seconds = 1.0;
}

TEST(LearningSearch, BudgetsOfTimeEndAtAPrefix) {
    const Found all = search_for(valleys("{method: nsga2, budget: 300}"), two_costs, take_a_second);
    for (const char* budget :
         {"cpu_budget: 100 s", "time_budget: 50 s", "cpu_budget: 100 s, time_budget: 60 s"}) {
        const Found found =
            search_for(valleys(fmt::format("{{method: nsga2, {}}}", budget)), two_costs, take_a_second);
        // A batch is told one behind: that which is under way when the time is over is evaluated as well.
        ASSERT_GE(found.records.size(), 100U) << budget;
        EXPECT_LE(found.records.size(), 140U) << budget;
        for (std::size_t i = 0; i < found.records.size(); ++i)
            EXPECT_EQ(found.records[i].point.values, all.records[i].point.values) << budget << " row " << i;
    }
}

TEST(LearningSearch, TimeIsDividedAmongMethods) {
    const Found found = search_for(valleys("{method: [nsga2, refine], cpu_budget: 200 s, population: 20}"),
                                   two_costs, take_a_second);
    const Found first =
        search_for(valleys("{method: nsga2, cpu_budget: 100 s, population: 20}"), two_costs, take_a_second);
    ASSERT_GT(found.records.size(), first.records.size());
    for (std::size_t i = 0; i < first.records.size(); ++i)
        EXPECT_EQ(found.records[i].point.values, first.records[i].point.values);
}

}  // namespace
}  // namespace dse::explore::test
