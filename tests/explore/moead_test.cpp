#include "explore/moead.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"
#include "explore/sample_problem.hpp"

namespace dse::explore::test {
namespace {

TEST(Moead, FindsMoreOfTheFrontThanChance) {
    const std::set<std::vector<double>> all =
        search_for(valleys("{method: moead, budget: 1271}"), two_costs, two_valleys).front(two_costs);
    double learnt = 0.0;
    for (int seed = 0; seed < 5; ++seed) {
        const Found found =
            search_for(valleys(fmt::format("{{method: moead, budget: 300, seed: {}, population: 30}}", seed)),
                       two_costs, two_valleys);
        for (const auto& point : found.points())
            learnt += all.contains(point) ? 0.2 / static_cast<double>(all.size()) : 0.0;
    }
    EXPECT_GT(learnt, 0.5) << "300 of 1,271 points drawn at random have 24 % of it";
}

TEST(Moead, KeepsTheBestOfEachObjective) {
    // A plane of costs (a, 99 − a): children of the ends are near the ends.
    Walked walked{"axes: {a: {from: 0, to: 99}, b: {from: 0, to: 99}}"};
    for (std::uint64_t i = 0; i < 100; ++i) {
        Genome genome{i, 0};
        ASSERT_TRUE(walked.knowledge.claim(genome));
        walked.knowledge.learn(
            solution({static_cast<double>(i), 99.0 - static_cast<double>(i)}, 0.0, genome));
    }
    Moead method{walked.knowledge, 10};
    const std::vector<Genome> children = method.propose(100);
    ASSERT_EQ(children.size(), 100U);
    const auto count = [&](auto holds) { return std::count_if(children.begin(), children.end(), holds); };
    EXPECT_GT(count([](const Genome& child) { return child[0] <= 1; }), 5);
    EXPECT_GT(count([](const Genome& child) { return child[0] >= 98; }), 5);
    EXPECT_GT(count([](const Genome& child) { return child[1] <= 1; }), 20) << "two of a hundred at random";
}

}  // namespace
}  // namespace dse::explore::test
