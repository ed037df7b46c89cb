#include "ir/partition/axes.hpp"

#include <gtest/gtest.h>

namespace dse::ir::partition {
namespace {

// Axis 0 of 8 devices, axis 1 of 4.
const AxisRef x{0, 1, 8};
const AxisRef x_major{0, 1, 2};  // the first factor of 2 of x
const AxisRef x_minor{0, 2, 4};  // the rest
const AxisRef y{1, 1, 4};

TEST(Axes, JoinPartsOfOneAxis) {
    EXPECT_EQ(normalized({x_major, x_minor}), Axes{x});
    EXPECT_EQ(normalized({x_minor, x_major}), (Axes{x_minor, x_major}));  // another order is another layout
    EXPECT_EQ(normalized({{1, 1, 1}, y}), Axes{y});
    EXPECT_FALSE(is_normal({x_major, x_minor}));
    EXPECT_FALSE(is_normal({{1, 1, 1}, y}));
    EXPECT_TRUE(is_normal({x_minor, x_major}));
}

TEST(Axes, MultiplyToParts) {
    EXPECT_EQ(parts_of({}), 1);
    EXPECT_EQ(parts_of({x_minor, y}), 16);
}

TEST(Axes, OverlapWhereTheyShareAFactor) {
    EXPECT_TRUE(overlap(x, x_minor));
    EXPECT_FALSE(overlap(x_major, x_minor));
    EXPECT_FALSE(overlap(x, y));
}

TEST(Axes, HaveACommonBeginning) {
    EXPECT_EQ(common_prefix({x, y}, {x_major, y}), Axes{x_major});
    EXPECT_EQ(common_prefix({x, y}, {x}), Axes{x});
    EXPECT_EQ(common_prefix({x, y}, {y, x}), Axes{});
    EXPECT_TRUE(is_prefix({x_major}, {x}));
    EXPECT_FALSE(is_prefix({x_minor}, {x}));
    EXPECT_TRUE(is_prefix({}, {y}));
}

TEST(Axes, AreSeparatedFromOthers) {
    EXPECT_EQ(without({x, y}, {x_major}), (Axes{x_minor, y}));
    EXPECT_EQ(within({x, y}, {x_major}), Axes{x_major});
    EXPECT_EQ(without({x}, {}), Axes{x});
}

TEST(Axes, AreJoinedAndCounted) {
    EXPECT_EQ(joined({x_major}, {x_minor}), Axes{x});
    const Layout layout{{x_minor}, {}, {y}};
    EXPECT_EQ(all_of(layout), (Axes{x_minor, y}));
    EXPECT_EQ(tiles(layout), 16);
    EXPECT_EQ(tiles({}), 1);
    EXPECT_TRUE(is_disjoint({{x_major}, {y}, {x_minor}}));
    EXPECT_FALSE(is_disjoint({{x_minor}, {y}, {x}}));
    // An axis of one device cuts nothing.
    EXPECT_EQ(axes_of(DeviceMesh{"m", {{"x", 8}, {"one", 1}, {"y", 4}}, {}}), (Axes{x, {2, 1, 4}}));
}

TEST(Axes, AreTakenFromTheFront) {
    Axes supply{x, y};
    EXPECT_EQ(taken_from(supply, 2), Axes{x_major});
    EXPECT_EQ(supply, (Axes{x_minor, y}));
    EXPECT_EQ(taken_from(supply, 16), (Axes{x_minor, y}));
    EXPECT_TRUE(supply.empty());
    Axes few{y};
    EXPECT_FALSE(taken_from(few, 3).has_value());
}

}  // namespace
}  // namespace dse::ir::partition
