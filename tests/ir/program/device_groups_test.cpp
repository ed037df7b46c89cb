#include "dse/ir/program/device_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::ir {
namespace {

using testing::ElementsAre;

TEST(DeviceGroups, AreEverybodyWhereNoneAreStated) {
    const DeviceGroups groups;
    EXPECT_TRUE(groups.everybody());
    EXPECT_EQ(groups.number(), 1);
    EXPECT_EQ(groups.size(4), 4);
    EXPECT_THAT(groups.members(4), ElementsAre(ElementsAre(0, 1, 2, 3)));
}

// XLA's [2,4]<=[8]: rows of the iota.
TEST(DeviceGroups, AreRowsOfAnIota) {
    const auto groups = DeviceGroups::iota(2, 4, {8}, {});
    EXPECT_EQ(groups.number(), 2);
    EXPECT_EQ(groups.size(8), 4);
    EXPECT_THAT(groups.members(8), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
}

// XLA's [4,2]<=[2,4]T(1,0): columns of the 2 × 4 iota.
TEST(DeviceGroups, AreColumnsOfATransposedIota) {
    const auto groups = DeviceGroups::iota(4, 2, {2, 4}, {1, 0});
    EXPECT_THAT(groups.members(8),
                ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5), ElementsAre(2, 6), ElementsAre(3, 7)));
}

TEST(DeviceGroups, AreListsWhereIrregular) {
    const auto groups = DeviceGroups::list({{0, 3}, {1, 2, 4}});
    EXPECT_EQ(groups.number(), 2);
    EXPECT_EQ(groups.size(5), 3);
    EXPECT_THAT(groups.members(5), ElementsAre(ElementsAre(0, 3), ElementsAre(1, 2, 4)));
}

TEST(DeviceGroups, NameTheirLastDevice) {
    EXPECT_EQ(DeviceGroups{}.last_device(), -1);
    EXPECT_EQ(DeviceGroups::iota(2, 4, {8}, {}).last_device(), 7);
    EXPECT_EQ(DeviceGroups::list({{0, 9}, {3}}).last_device(), 9);
}

}  // namespace
}  // namespace dse::ir
