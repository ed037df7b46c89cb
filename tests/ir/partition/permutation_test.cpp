#include "ir/partition/permutation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::ir::partition {
namespace {

using testing::Pair;

const DeviceMesh two_by_four{"mesh", {{"x", 2}, {"y", 4}}, {}};

// {x, y} → {y, x} of 2 × 4 on one dimension: part p of the old order is x·4 + y, of the new y·2 + x.
// Device 1 is (0, 1): it had part 1 and wants part 2, which device 2 had.
TEST(Permutation, SendsPartsToWhereTheyAreWanted) {
    const auto pairs = permutation(two_by_four, {{{0, 1, 2}, {1, 1, 4}}}, {{{1, 1, 4}, {0, 1, 2}}});
    EXPECT_THAT(pairs, testing::Contains(Pair(2, 1)));
    EXPECT_EQ(pairs.size(), 6U);  // all but 0 and 7
}

}  // namespace
}  // namespace dse::ir::partition
