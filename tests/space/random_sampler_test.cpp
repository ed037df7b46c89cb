#include "space/random_sampler.hpp"

#include <set>

#include <gtest/gtest.h>

#include "sample.hpp"

namespace dse::space {
namespace {

TEST(RandomSampler, DrawsWithoutRepetitionUntilAllAreDrawn) {
    // 208 points are in the space (space_count_test); a budget above the grid's 384 finds each of them once.
    const auto sampler = make_sampler(testing::layouts("{method: random, budget: 1000}"));
    EXPECT_EQ(sampler->size(), 384U);
    std::set<std::vector<double>> seen;
    for (const Point& point : testing::all_points(*sampler, 0, sampler->size()))
        EXPECT_TRUE(seen.insert(point.values).second);
    EXPECT_EQ(seen.size(), 208U);
    // A budget below finds a point for each id, as long as there are places left.
    const auto some = make_sampler(testing::layouts("{method: random, budget: 40}"));
    EXPECT_EQ(testing::all_points(*some, 0, 40).size(), 40U);
}

TEST(RandomSampler, DrawsUniformly) {
    const auto space = testing::compile(
        "axes:\n  n: {from: 0, to: 9}\n  m: {from: 0, to: 99999}\nrequire: [n == n, m == m]\n"
        "search: {method: random, budget: 20000, seed: 5}\n");
    const auto sampler = make_sampler(space);
    std::vector<int> hits(10, 0);
    for (const Point& point : testing::all_points(*sampler, 0, 20000))
        ++hits[static_cast<std::size_t>(point.values[0])];
    // 2,000 each; standard deviation sqrt(20000 · 0.1 · 0.9) = 42.
    for (const int count : hits) EXPECT_NEAR(count, 2000, 5 * 42);
}

TEST(RandomSampler, ContinuousAxes) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.2, to: 0.8}\n  outer.bandwidth: {from: 1 GB/s, to: 100 GB/s, "
        "scale: log}\n"
        "require: [outer.efficiency > 0.5]\nsearch: {method: random, budget: 4000}\n");
    ASSERT_TRUE(space);
    const auto sampler = make_sampler(space);
    int low = 0;
    const auto points = testing::all_points(*sampler, 0, 4000);
    EXPECT_EQ(points.size(), 4000U);
    for (const Point& point : points) {
        EXPECT_GT(point.values[0], 0.5);
        EXPECT_LE(point.values[0], 0.8);
        low += point.values[1] < 1e10;  // half of the range on a logarithmic scale
    }
    EXPECT_NEAR(low, 2000, 5 * 32);
}

}  // namespace
}  // namespace dse::space
