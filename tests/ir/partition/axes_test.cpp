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

}  // namespace
}  // namespace dse::ir::partition
