#include "ir/program/mesh_groups.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

const DeviceMesh two_by_four{"mesh", {{"x", 2}, {"y", 4}}, {}};

TEST(GroupsAlong, AnAxisHaveTheOthersInCommon) {
    // Devices of (x, y) are 4 x + y.
    EXPECT_EQ(groups_along(two_by_four, std::vector<AxisRef>{{0, 1, 2}}).members(8),
              (Lists{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    EXPECT_EQ(groups_along(two_by_four, std::vector<AxisRef>{{1, 1, 4}}).members(8),
              (Lists{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(GroupsAlong, MembersComeInTheOrderOfTheAxes) {
    EXPECT_EQ(groups_along(two_by_four, std::vector<AxisRef>{{1, 1, 4}, {0, 1, 2}}).members(8),
              (Lists{{0, 4, 1, 5, 2, 6, 3, 7}}));
    EXPECT_EQ(groups_along(two_by_four, std::vector<AxisRef>{}).number(), 8);
}

TEST(GroupsAlong, PartsOfAnAxis) {
    // y = 2 major + minor. "y":(1)2 is the major part, "y":(2)2 the minor one.
    EXPECT_EQ(groups_along(two_by_four, std::vector<AxisRef>{{1, 1, 2}}).members(8),
              (Lists{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
    EXPECT_EQ(groups_along(two_by_four, std::vector<AxisRef>{{1, 2, 2}}).members(8),
              (Lists{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

TEST(GroupsAlong, DevicesInAnotherOrder) {
    const DeviceMesh reversed{"mesh", {{"x", 2}, {"y", 2}}, {3, 2, 1, 0}};
    EXPECT_EQ(groups_along(reversed, std::vector<AxisRef>{{0, 1, 2}}).members(4), (Lists{{3, 1}, {2, 0}}));
}

TEST(RegularGroups, AreKeptAsIotas) {
    EXPECT_EQ(regular_groups({{0, 1}, {2, 3}}), DeviceGroups::iota(2, 2, {4}, {}));
    EXPECT_EQ(regular_groups({{0, 2}, {1, 3}}), DeviceGroups::iota(2, 2, {2, 2}, {1, 0}));
    EXPECT_EQ(regular_groups({{0, 3}, {1, 2}}).members(4), (Lists{{0, 3}, {1, 2}}));
    EXPECT_EQ(regular_groups({{0, 1, 2}, {3}}).members(4), (Lists{{0, 1, 2}, {3}}));
    EXPECT_TRUE(regular_groups({}).everybody());
}

}  // namespace
}  // namespace dse::ir
