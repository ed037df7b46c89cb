// Also tests: population_method.cpp
#include "explore/nsga2.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"
#include "explore/sample_problem.hpp"

namespace dse::explore::test {
namespace {

TEST(Nsga2, FindsMoreOfTheFrontThanChance) {
    const std::set<std::vector<double>> all =
        search_for(valleys("{method: nsga2, budget: 1271}"), two_costs, two_valleys).front(two_costs);
    ASSERT_EQ(search_for(valleys("{method: nsga2, budget: 1271}"), two_costs, two_valleys).records.size(),
              1271U);
    const auto share_of = [&](const std::string& search) {
        std::size_t found = 0;
        for (const auto& point : search_for(valleys(search), two_costs, two_valleys).points())
            found += all.contains(point) ? 1 : 0;
        return static_cast<double>(found) / static_cast<double>(all.size());
    };
    double learnt = 0.0;
    for (int seed = 0; seed < 5; ++seed)
        learnt += share_of(fmt::format("{{method: nsga2, budget: 300, seed: {}, population: 30}}", seed)) / 5;
    EXPECT_GT(learnt, 0.6) << "300 of 1,271 points drawn at random have 24 % of it";
}

TEST(Nsga2, BeginsWithWhatIsKnown) {
    Walked walked{"axes: {a: {from: 0, to: 99}, b: {from: 0, to: 99}}"};
    for (std::uint64_t i = 0; i < 20; ++i) {
        Genome genome{i, 0};
        ASSERT_TRUE(walked.knowledge.claim(genome));
        walked.knowledge.learn(solution({static_cast<double>(i)}, 0.0, genome));
    }
    Nsga2 method{walked.knowledge, 4};
    std::size_t near = 0;
    const std::vector<Genome> children = method.propose(40);
    ASSERT_EQ(children.size(), 40U);
    for (const Genome& child : children) near += child[0] <= 4 || child[1] <= 1 ? 1 : 0;
    EXPECT_GT(near, 24U) << "children of the best four, (0, 0) to (3, 0); at random it were three of 40";
}

}  // namespace
}  // namespace dse::explore::test
