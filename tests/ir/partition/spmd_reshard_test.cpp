#include "ir/partition/spmd_reshard.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "ir/partition/random_layouts.hpp"

namespace dse::ir::partition {
namespace {

using Kind = ReshardStep::Kind;

// A mesh of x = 2, y = 2, z = 4; arrays of 64 elements a dimension.
const AxisRef x{0, 1, 2};
const AxisRef y{1, 1, 2};
const AxisRef z{2, 1, 4};

std::vector<ReshardStep> steps(const Layout& from, const Layout& to, const Axes& partial = {},
                               Summing summing = Summing::whole) {
    return spmd_reshard_steps(Sizes(from.size(), 64), from, to, partial, summing);
}

std::vector<Kind> kinds(const std::vector<ReshardStep>& steps) {
    std::vector<Kind> result;
    for (const ReshardStep& step : steps) result.push_back(step.kind);
    return result;
}

TEST(SpmdReshard, GathersSlicesAndPermutes) {
    EXPECT_TRUE(steps({{x}, {y}}, {{x}, {y}}).empty());
    const auto gathered = steps({{x, y}, {}}, {{x}, {}});
    ASSERT_EQ(kinds(gathered), std::vector{Kind::all_gather});
    EXPECT_EQ(gathered[0].axes, Axes{y});
    const auto sliced = steps({{}, {x}}, {{z}, {x}});
    ASSERT_EQ(kinds(sliced), std::vector{Kind::slice});
    EXPECT_EQ(sliced[0].axes, Axes{z});
    EXPECT_EQ(kinds(steps({{x}}, {{y}})), std::vector{Kind::permute});
}

// Two dimensions swap their numbers of parts, whatever the axes: then devices swap their parts.
TEST(SpmdReshard, ExchangesBetweenDimensions) {
    const auto same_axis = steps({{x}, {}}, {{}, {x}});
    ASSERT_EQ(kinds(same_axis), std::vector{Kind::all_to_all});
    EXPECT_EQ(same_axis[0].from, 0U);
    EXPECT_EQ(same_axis[0].to, 1U);
    EXPECT_EQ(kinds(steps({{x}, {}}, {{}, {y}})), (std::vector{Kind::all_to_all, Kind::permute}));
    // 8 parts become 2: the other 4 go to a dimension that has none.
    const auto some = steps({{x, z}, {}}, {{x}, {z}});
    ASSERT_EQ(kinds(some), std::vector{Kind::all_to_all});
    EXPECT_EQ(some[0].axes, Axes{z});
}

TEST(SpmdReshard, KeepsDimensionsInAsManyPartsWhereNothingElseFits) {
    const auto kept = steps({{x}, {z}, {}}, {{x}, {}, {y}});
    EXPECT_EQ(kinds(kept), (std::vector{Kind::all_gather, Kind::slice}));
    EXPECT_EQ(kept[0].after, (Layout{{x}, {}, {}}));
    // Nothing is kept: all is gathered before it is cut.
    const auto whole = steps({{z}, {}}, {{}, {x}});
    EXPECT_EQ(kinds(whole), (std::vector{Kind::all_gather, Kind::slice}));
    EXPECT_EQ(whole[0].after, (Layout{{}, {}}));
    EXPECT_EQ(whole[0].axes, Axes{z});
}

// Two elements on four devices: fewer bytes are summed than gathered with their padding.
TEST(SpmdReshard, SumsShortDimensions) {
    EXPECT_EQ(kinds(spmd_reshard_steps({2}, {{z}}, {{}})), std::vector{Kind::sum_parts});
    EXPECT_EQ(kinds(spmd_reshard_steps({4}, {{z}}, {{}})), std::vector{Kind::all_gather});
}

// A gradient that is summed over x and z and lies on x: all of it at once, or scattered over x first.
TEST(SpmdReshard, AddsPartialSums) {
    const auto whole = steps({{}, {}}, {{x}, {}}, {x, z});
    ASSERT_EQ(kinds(whole), (std::vector{Kind::all_reduce, Kind::slice}));
    EXPECT_EQ(whole[0].axes, (Axes{x, z}));
    const auto scattered = steps({{}, {}}, {{x}, {}}, {x, z}, Summing::scattered);
    ASSERT_EQ(kinds(scattered), (std::vector{Kind::all_reduce, Kind::slice, Kind::all_reduce}));
    EXPECT_EQ(scattered[0].axes, Axes{x});
    EXPECT_EQ(scattered[2].axes, Axes{z});
}

TEST(SpmdReshard, AlwaysArrives) {
    expect_arrival([](const Layout& from, const Layout& to) { return steps(from, to); });
}

}  // namespace
}  // namespace dse::ir::partition
