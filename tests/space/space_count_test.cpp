#include "dse/space/space_count.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "random_sweep.hpp"
#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

/// Every point by itself; it is dropped by the first step that fails.
SpaceCount brute_force(const Space& space) {
    SpaceCount result;
    result.grid.exact = *space.grid_size().exact;
    std::vector<std::uint64_t> dropped(space.steps().size(), 0);
    std::uint64_t remaining = 0;
    Point point;
    for (std::uint64_t id = 0; id < *space.grid_size().exact; ++id) {
        space.point(id, point);
        std::size_t i = 0;
        while (i < dropped.size() && space.perform(space.steps()[i], point.values)) ++i;
        if (i < dropped.size()) {
            ++dropped[i];
        } else {
            ++remaining;
        }
    }
    result.remaining.exact = remaining;
    for (const std::uint64_t one : dropped) {
        result.steps.emplace_back();
        result.steps.back().dropped.exact = one;
    }
    return result;
}

TEST(SpaceCount, OfTheLayoutsByHand) {
    const auto space = testing::compile(testing::layout_sweep);
    ASSERT_TRUE(space);
    const SpaceCount counted = count(*space);
    EXPECT_EQ(counted.method, SpaceCount::Method::exact);
    EXPECT_EQ(counted.grid.exact, 384U);
    ASSERT_EQ(counted.steps.size(), 4U);
    // pp = 3 never divides 64: 4 · 4 · 3 · 2 = 96 points.
    EXPECT_EQ(counted.steps[0].text, "devices % (tp * pp) == 0");
    EXPECT_EQ(counted.steps[0].where.line, 11);
    EXPECT_EQ(counted.steps[0].dropped.exact, 96U);
    EXPECT_EQ(counted.steps[1].dropped.exact, 0U);
    // dp = 64 / (tp·pp) must leave microbatch | tp·pp. Of the 12 (tp, pp): tp·pp = 1: 3 of 4 microbatches are
    // dropped, 2 (twice): 2 each, 4 (three times): 1 each, 8 and more: none. 3 + 4 + 3 = 10, times 6: 60.
    EXPECT_EQ(counted.steps[2].dropped.exact, 60U);
    // pp = 1 with interleaved: tp = 1, 2, 4, 8 have 1, 2, 3, 4 microbatches left: 10, times 2 bandwidths.
    EXPECT_EQ(counted.steps[3].dropped.exact, 20U);
    EXPECT_EQ(counted.remaining.exact, 384U - 96U - 60U - 20U);
    EXPECT_EQ(counted.remaining.approximate, 384.0 - 96.0 - 60.0 - 20.0);
    EXPECT_EQ(counted.standard_error, 0.0);
}

TEST(SpaceCountProperty, EqualsBruteForceOnRandomSpaces) {
    testing::RandomSweep random(2024);
    int dropped_something = 0;
    for (int round = 0; round < 400; ++round) {
        const std::string text = random.text();
        const auto space = testing::compile(text);
        ASSERT_TRUE(space) << text;
        const SpaceCount expected = brute_force(*space);
        const SpaceCount counted = count(*space);
        ASSERT_EQ(counted.method, SpaceCount::Method::exact);
        ASSERT_EQ(counted.grid.exact, expected.grid.exact) << text;
        ASSERT_EQ(counted.remaining.exact, expected.remaining.exact) << text;
        for (std::size_t i = 0; i < expected.steps.size(); ++i) {
            ASSERT_EQ(counted.steps[i].dropped.exact, expected.steps[i].dropped.exact)
                << text << "\n"
                << counted.steps[i].text;
        }
        dropped_something +=
            expected.remaining.exact != expected.grid.exact && expected.remaining.exact != 0U;
    }
    EXPECT_GT(dropped_something, 100);
}

/// 10^15 points in three independent groups and a free axis: exact, and at once.
TEST(SpaceCount, FactorisesHugeSpaces) {
    const auto space = testing::compile(R"(axes:
  a: {from: 1, to: 1000}
  b: {from: 1, to: 1000}
  c: {from: 1, to: 1000}
  d: {from: 1, to: 1000}
  tp: {from: 1, to: 1000}
require:
  - a <= b
  - c % 10 == 0
  - d > 999 or d < 1
)");
    ASSERT_TRUE(space);
    const auto start = std::chrono::steady_clock::now();
    const SpaceCount counted = count(*space);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(counted.grid.exact, 1'000'000'000'000'000U);
    EXPECT_EQ(counted.method, SpaceCount::Method::exact);
    // a <= b: 1000·1001/2 = 500,500 pairs; c: 100; d: 1; tp: 1000.
    EXPECT_EQ(counted.steps[0].dropped.exact, 499'500'000'000'000U);
    EXPECT_EQ(counted.remaining.exact, 50'050'000'000U);
    EXPECT_LT(seconds.count(), 10.0);  // far above what it takes, far below 10^15 visits
}

TEST(SpaceCount, EstimatesWhatIsTooLarge) {
    const auto space = testing::compile(R"(axes:
  a: {from: 1, to: 100000}
  b: {from: 1, to: 100000}
  c: {from: 1, to: 100000}
require:
  - a <= b + c - c
  - c % 4 == 0
)");
    ASSERT_TRUE(space);
    const SpaceCount counted = count(*space);
    EXPECT_EQ(counted.method, SpaceCount::Method::estimated);
    EXPECT_EQ(counted.grid.exact, 1'000'000'000'000'000U);
    EXPECT_FALSE(counted.remaining.exact);
    // 1e15 · (1e5 + 1) / (2e5) / 4 = 1.25e14.
    EXPECT_GT(counted.standard_error, 0.0);
    EXPECT_LT(counted.standard_error, 0.02 * 1.25e14);
    EXPECT_NEAR(counted.remaining.approximate, 1.25e14, 4.0 * counted.standard_error);
    EXPECT_EQ(count(*space).remaining.approximate,
              counted.remaining.approximate);  // no clock, no global state
}

TEST(SpaceCount, BoundsWhatNoDrawHits) {
    const auto space = testing::compile(R"(axes:
  a: {from: 1, to: 100000}
  b: {from: 1, to: 100000}
require: [a * b == 1]
)");
    ASSERT_TRUE(space);
    const SpaceCount counted = count(*space, {1000, 1000});
    EXPECT_EQ(counted.remaining.approximate, 0.0);
    EXPECT_DOUBLE_EQ(counted.standard_error, 1e10 * 3.0 / 1000.0);
}

TEST(SpaceCount, ContinuousAxesAreShares) {
    const auto space = testing::compile(
        "axes:\n  outer.efficiency: {from: 0.0, to: 1.0}\n  tp: [1, 2]\n"
        "require: [outer.efficiency < 0.25]\nsearch: {method: random, budget: 10}\n");
    ASSERT_TRUE(space);
    const SpaceCount counted = count(*space);
    EXPECT_EQ(counted.method, SpaceCount::Method::estimated);
    EXPECT_NEAR(counted.remaining.approximate, 0.5, 4 * counted.standard_error);
}

}  // namespace
}  // namespace dse::space
