#include "explore/ranking.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

TEST(Ranking, SortsIntoFrontsFeasibleOnesFirst) {
    const std::vector<Solution> population{solution({1, 4}),      solution({2, 2}), solution({4, 1}),
                                           solution({3, 3}),      solution({5, 5}), solution({0, 0}, 2.0),
                                           solution({0, 0}, 1.0), solution({2, 5})};
    std::vector<std::size_t> fronts;
    for (const Rank& rank : ranks_of(population)) fronts.push_back(rank.front);
    EXPECT_EQ(fronts, (std::vector<std::size_t>{0, 0, 0, 1, 2, 4, 3, 1}));
}

/// Takes the solutions away that nobody is better than, again and again.
std::vector<std::size_t> peeled(const std::vector<Solution>& solutions) {
    std::vector<std::size_t> fronts(solutions.size(), solutions.size());
    for (std::size_t front = 0; front < solutions.size(); ++front) {
        const auto is_left = [&](std::size_t i) { return fronts[i] >= front; };
        std::vector<std::size_t> next = fronts;
        for (std::size_t i = 0; i < solutions.size(); ++i) {
            bool beaten = false;
            for (std::size_t j = 0; j < solutions.size(); ++j)
                beaten = beaten || (is_left(j) && is_better(solutions[j], solutions[i]));
            if (is_left(i) && !beaten) next[i] = front;
        }
        fronts = next;
    }
    return fronts;
}

TEST(Ranking, FrontsAreThoseThatPeelingFinds) {
    Random random{7};
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<Solution> solutions;
        for (int i = 0; i < 30; ++i) {
            // Few values, so that costs are tied.
            const auto cost = [&] { return static_cast<double>(random.below(5)); };
            solutions.push_back(solution({cost(), cost(), cost()}, random.chance(0.3) ? cost() : 0.0));
        }
        std::vector<std::size_t> fronts;
        for (const Rank& rank : ranks_of(solutions)) fronts.push_back(rank.front);
        EXPECT_EQ(fronts, peeled(solutions));
    }
}

TEST(Ranking, CrowdingIsTheSumOfTheGapsToBothSides) {
    // Ranges 4 and 8. Of (1, 4): (3 − 0) / 4 + (8 − 1) / 8; of (3, 1): (4 − 1) / 4 + (4 − 0) / 8.
    const std::vector<Solution> front{solution({0, 8}), solution({1, 4}), solution({3, 1}), solution({4, 0})};
    const std::vector<double> crowding = crowding_of(front);
    EXPECT_TRUE(std::isinf(crowding[0]));
    EXPECT_DOUBLE_EQ(crowding[1], 0.75 + 0.875);
    EXPECT_DOUBLE_EQ(crowding[2], 0.75 + 0.5);
    EXPECT_TRUE(std::isinf(crowding[3]));
}

TEST(Ranking, TwinsStandLast) {
    const std::vector<Rank> ranks =
        ranks_of(std::vector{solution({1, 1}), solution({1, 1}), solution({1, 1})});
    EXPECT_EQ(ranks[0].crowding, 0.0) << "an objective that is constant adds nothing";
    EXPECT_EQ(ranks[1].crowding, -1.0);
    EXPECT_TRUE(ranks[0].precedes(ranks[1]));
    EXPECT_FALSE(ranks[1].precedes(ranks[2]));
}

TEST(Ranking, OfNobodyIsEmpty) {
    EXPECT_TRUE(ranks_of({}).empty());
    EXPECT_TRUE(crowding_of({}).empty());
}

}  // namespace
}  // namespace dse::explore::test
