#include "ir/partition/reshard.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "ir/partition/random_layouts.hpp"

namespace dse::ir::partition {
namespace {

using Kind = ReshardStep::Kind;

// A mesh of x = 2, y = 2, z = 4.
const AxisRef x{0, 1, 2};
const AxisRef y{1, 1, 2};
const AxisRef z{2, 1, 4};

std::vector<Kind> kinds(const Layout& from, const Layout& to, const Axes& partial = {}) {
    std::vector<Kind> result;
    for (const ReshardStep& step : reshard_steps(from, to, partial)) result.push_back(step.kind);
    return result;
}

TEST(Reshard, DoesNothingWhereNothingChanges) {
    EXPECT_TRUE(reshard_steps({{x}, {y}}, {{x}, {y}}).empty());
}

TEST(Reshard, GathersAxesThatAreDropped) {
    const auto steps = reshard_steps({{x, y}, {}}, {{x}, {}});
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].kind, Kind::all_gather);
    EXPECT_EQ(steps[0].axes, Axes{y});
    EXPECT_EQ(steps[0].from, 0U);
}

TEST(Reshard, SlicesAxesThatAreAdded) {
    const auto steps = reshard_steps({{}, {x}}, {{z}, {x}});
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].kind, Kind::slice);
    EXPECT_EQ(steps[0].after, (Layout{{z}, {x}}));
}

TEST(Reshard, MovesAxesBetweenDimensions) {
    const auto steps = reshard_steps({{x, z}, {}}, {{x}, {z}});
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].kind, Kind::all_to_all);
    EXPECT_EQ(steps[0].from, 0U);
    EXPECT_EQ(steps[0].to, 1U);
    EXPECT_EQ(steps[0].axes, Axes{z});
}

TEST(Reshard, PermutesEqualParts) {
    EXPECT_EQ(kinds({{x}}, {{y}}), std::vector{Kind::permute});
    EXPECT_EQ(kinds({{x, y}}, {{y, x}}), std::vector{Kind::permute});
}

TEST(Reshard, ShrinksBeforeItGrows) {
    EXPECT_EQ(kinds({{z}, {}}, {{}, {x}}), (std::vector{Kind::slice, Kind::all_gather}));
}

TEST(Reshard, SplitsAnAxisWhereOnlyAPartMoves) {
    // z of 4 goes to its first factor of 2: the second is gathered.
    const auto steps = reshard_steps({{z}}, {{{2, 1, 2}}});
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].kind, Kind::all_gather);
    EXPECT_EQ(steps[0].axes, (Axes{{2, 2, 2}}));
}

// A gradient of a replicated weight: summed once.
TEST(Reshard, SumsPartialResults) {
    const auto steps = reshard_steps({{}, {}}, {{}, {}}, {x, z});
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].kind, Kind::all_reduce);
    EXPECT_EQ(steps[0].axes, (Axes{x, z}));
}

// A gradient of a weight that is sharded on x: a reduce-scatter over x, and half as much is summed over z.
TEST(Reshard, ScattersWhatItSums) {
    const auto steps = reshard_steps({{}, {}}, {{x}, {}}, {x, z});
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[0].kind, Kind::all_reduce);
    EXPECT_EQ(steps[0].axes, Axes{x});
    EXPECT_EQ(steps[1].kind, Kind::slice);
    EXPECT_EQ(steps[1].after, (Layout{{x}, {}}));
    EXPECT_EQ(steps[2].kind, Kind::all_reduce);
    EXPECT_EQ(steps[2].axes, Axes{z});
}

// It is sharded on y, along which everybody has the same sums: cut first, then summed.
TEST(Reshard, SumsWhatIsLeftOfASlice) {
    EXPECT_EQ(kinds({{}}, {{y}}, {x}), (std::vector{Kind::slice, Kind::all_reduce}));
}

// What is summed over the second half of z is not cut along it before, but along the first half.
TEST(Reshard, CutsNoSumAlongItsOwnAxes) {
    const AxisRef first{2, 1, 2};
    const AxisRef second{2, 2, 2};
    const auto steps = reshard_steps({{}}, {{z}}, {second, x});
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[0].kind, Kind::slice);
    EXPECT_EQ(steps[0].axes, Axes{first});
    EXPECT_EQ(steps[1].kind, Kind::all_reduce);
    EXPECT_EQ(steps[1].axes, Axes{second});
    EXPECT_EQ(steps[2].kind, Kind::slice);
    EXPECT_EQ(steps[3].kind, Kind::all_reduce);
    EXPECT_EQ(steps[3].axes, Axes{x});
}

// 960 bytes, rings of 2 (x) and 4 (z).
TEST(SentBytes, AreThoseOfRings) {
    const auto sent = [](const Layout& from, const Layout& to, const Axes& partial = {}) {
        return sent_bytes(reshard_steps(from, to, partial), 960, from);
    };
    EXPECT_EQ(sent({{x}, {}}, {{x}, {}}), 0);
    EXPECT_EQ(sent({{}, {}}, {{x}, {z}}), 0);                 // each cuts out its own
    EXPECT_EQ(sent({{z}, {}}, {{}, {}}), 720);                // three of four parts of 240 pass by
    EXPECT_EQ(sent({{x, z}, {}}, {{x}, {}}), 360);            // the same of one half
    EXPECT_EQ(sent({{z}, {}}, {{}, {z}}), 180);               // three quarters of 240
    EXPECT_EQ(sent({{x}, {}}, {{y}, {}}), 480);               // all of one half
    EXPECT_EQ(sent({{}, {}}, {{}, {}}, {z}), 2 * 720);        // scattered, and gathered
    EXPECT_EQ(sent({{}, {}}, {{z}, {}}, {z}), 720);           // scattered
    EXPECT_EQ(sent({{}, {}}, {{z}, {}}, {z, x}), 720 + 240);  // and a quarter is summed over two
}

TEST(Reshard, AlwaysArrives) {
    expect_arrival([](const Layout& from, const Layout& to) { return reshard_steps(from, to); });
}

}  // namespace
}  // namespace dse::ir::partition
