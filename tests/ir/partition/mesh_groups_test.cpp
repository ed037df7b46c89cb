#include "ir/partition/mesh_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::ir::partition {
namespace {

using testing::ElementsAre;
using testing::Pair;

const DeviceMesh two_by_four{"mesh", {{"x", 2}, {"y", 4}}, {}};

TEST(GroupsAlong, AreRowsAndColumnsOfTheMesh) {
    EXPECT_THAT(groups_along(two_by_four, {{1, 1, 4}}).members(8),
                ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
    EXPECT_THAT(groups_along(two_by_four, {{0, 1, 2}}).members(8),
                ElementsAre(ElementsAre(0, 4), ElementsAre(1, 5), ElementsAre(2, 6), ElementsAre(3, 7)));
}

// y = 4 is 2 × 2: its major half pairs 0 with 2, its minor half 0 with 1.
TEST(GroupsAlong, PartsOfAnAxis) {
    EXPECT_THAT(groups_along(two_by_four, {{1, 1, 2}}).members(8),
                ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3), ElementsAre(4, 6), ElementsAre(5, 7)));
    EXPECT_THAT(groups_along(two_by_four, {{1, 2, 2}}).members(8),
                ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6, 7)));
}

TEST(GroupsAlong, KeepTheOrderOfTheAxes) {
    EXPECT_THAT(groups_along(two_by_four, {{1, 1, 4}, {0, 1, 2}}).members(8),
                ElementsAre(ElementsAre(0, 4, 1, 5, 2, 6, 3, 7)));
}

TEST(GroupsAlong, NameTheDevicesOfTheMesh) {
    DeviceMesh mesh{"mesh", {{"x", 2}}, {5, 3}};
    EXPECT_THAT(groups_along(mesh, {{0, 1, 2}}).members(2), ElementsAre(ElementsAre(5, 3)));
}

// {x, y} → {y, x} of 2 × 4 on one dimension: part p of the old order is x·4 + y, of the new y·2 + x.
// Device 1 is (0, 1): it had part 1 and wants part 2, which device 2 had.
TEST(Permutation, SendsPartsToWhereTheyAreWanted) {
    const auto pairs = permutation(two_by_four, {{{0, 1, 2}, {1, 1, 4}}}, {{{1, 1, 4}, {0, 1, 2}}});
    EXPECT_THAT(pairs, testing::Contains(Pair(2, 1)));
    EXPECT_EQ(pairs.size(), 6U);  // all but 0 and 7
}

}  // namespace
}  // namespace dse::ir::partition
