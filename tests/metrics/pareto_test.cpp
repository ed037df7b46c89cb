#include "dse/metrics/pareto.hpp"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::metrics {
namespace {

using testing::ElementsAre;

CostTable table_of(const std::vector<std::vector<double>>& rows) {
    CostTable table{rows.front().size()};
    for (const auto& row : rows) table.add(row);
    return table;
}

/// Few distinct values, so that ties in some or all objectives are common.
CostTable random_table(std::mt19937_64& random, std::size_t rows, std::size_t objectives) {
    std::uniform_int_distribution<int> value{0, 9};
    CostTable table{objectives};
    std::vector<double> row(objectives);
    for (std::size_t i = 0; i < rows; ++i) {
        for (double& x : row) x = value(random);
        table.add(row);
    }
    return table;
}

/// The definition, word by word.
std::vector<std::size_t> front_by_definition(const CostTable& table) {
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < table.size(); ++i) {
        bool dominated = false;
        for (std::size_t j = 0; j < table.size(); ++j) dominated = dominated || dominates(table[j], table[i]);
        if (!dominated) front.push_back(i);
    }
    return front;
}

TEST(Dominates, NeedsOneBetterAndNoneWorse) {
    const std::vector<double> a{1, 2};
    EXPECT_TRUE(dominates(a, std::vector<double>{1, 3}));
    EXPECT_FALSE(dominates(a, a));
    EXPECT_FALSE(dominates(a, std::vector<double>{0, 3}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(dominates(a, std::vector<double>{nan, 3}));
    EXPECT_FALSE(dominates(std::vector<double>{nan, 0}, a));
}

TEST(ParetoFront, OfTwoObjectives) {
    // (1,5) (3,3) (5,1) are the corners; (3,4) lies above (3,3), (6,1) right of (5,1).
    EXPECT_THAT(pareto_front(table_of({{3, 4}, {1, 5}, {3, 3}, {6, 1}, {5, 1}})), ElementsAre(1, 2, 4));
}

TEST(ParetoFront, KeepsEqualRowsTogether) {
    EXPECT_THAT(pareto_front(table_of({{1, 1}, {2, 0}, {1, 1}, {2, 2}})), ElementsAre(0, 1, 2));
}

TEST(ParetoFront, OfOneObjectiveIsTheMinimum) {
    EXPECT_THAT(pareto_front(table_of({{3}, {1}, {2}, {1}})), ElementsAre(1, 3));
}

TEST(ParetoFront, NeverHoldsWhatHasNoAnswer) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_THAT(pareto_front(table_of({{nan, 0}, {1, 1}, {-infinity, 0}, {0, nan}})), ElementsAre(1));
    EXPECT_THAT(pareto_front(table_of({{nan, nan}})), ElementsAre());
}

TEST(ParetoFront, AgreesWithTheDefinitionInEveryDimension) {
    std::mt19937_64 random{20240711};
    for (std::size_t objectives = 1; objectives <= 6; ++objectives) {
        for (int round = 0; round < 20; ++round) {
            const CostTable table = random_table(random, 120, objectives);
            EXPECT_EQ(pareto_front(table), front_by_definition(table)) << objectives << " objectives";
        }
    }
}

}  // namespace
}  // namespace dse::metrics
