#include "dse/explore/static_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace dse::explore::test {
namespace {

TEST(StaticSearch, AsksForThePointsOfItsSampler) {
    const auto space = plane("require: [x * x + y * y <= 9]\n");
    const auto search = static_search(space, "plane.yaml");
    ASSERT_NE(search->sampler(), nullptr);
    EXPECT_EQ(search->size(), 17U * 17U);
    const auto stream = search->sampler()->points(0, search->size());
    std::size_t points = 0;
    const std::vector<Trial> trials = search->ask();
    for (space::Point point; stream->next(point); ++points) {
        ASSERT_LT(points, trials.size());
        EXPECT_EQ(trials[points].point.values, point.values);
        EXPECT_EQ(trials[points].fidelity, Fidelity{});
    }
    EXPECT_EQ(points, trials.size());
    EXPECT_GT(points, 50U);
    EXPECT_TRUE(search->ask().empty());
    search->tell(std::vector<space::Record>(3));
    EXPECT_EQ(search->state(), fmt::format("{} points asked, 3 told", points));
}

TEST(StaticSearch, TakesTheSamplerOfTheSpace) {
    EXPECT_EQ(static_search(plane("search: {method: sobol, budget: 64}\n"), "p")->size(), 64U);
}

TEST(StaticSearch, RefusesAGridThatNobodyCouldWalk) {
    std::string axes = "name: huge\naxes:\n";
    for (int axis = 0; axis < 6; ++axis) axes += fmt::format("  a{}: {{from: 1, to: 1000}}\n", axis);
    const auto space = space::parse_space(axes);
    try {
        static_cast<void>(static_search(space, "huge.yaml"));
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("huge.yaml: the sweep has 1e+18 points, which no run"));
    }
    EXPECT_NE(static_search(space, "huge.yaml", 10), nullptr) << "but its first points";
}

}  // namespace
}  // namespace dse::explore::test
