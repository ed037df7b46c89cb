#include "dse/space/tiling.hpp"

#include <gtest/gtest.h>

namespace dse::space {
namespace {

Box box(Run x, Run y) {
    return {{x, y}};
}

const Box plane = box({0, 4}, {0, 3});

TEST(Tiling, takes_boxes_that_came_of_splitting) {
    const std::vector<Box> boxes{box({0, 2}, {2, 1}), box({2, 2}, {0, 3}), box({0, 1}, {0, 2}),
                                 box({1, 1}, {0, 2})};
    EXPECT_EQ(tiling_fault(plane, boxes), "");
    EXPECT_EQ(tiling_fault(plane, std::vector<Box>{plane}), "");
}

/// Above two boxes side by side lies one over all of x: between the two there is no cut, but below it.
TEST(Tiling, cuts_no_box) {
    const std::vector<Box> boxes{box({0, 1}, {0, 2}), box({0, 4}, {2, 1}), box({1, 3}, {0, 2})};
    EXPECT_EQ(tiling_fault(plane, boxes), "");
}

TEST(Tiling, counts_points) {
    EXPECT_EQ(tiling_fault(plane, std::vector<Box>{box({0, 4}, {0, 2})}),
              "the boxes have 8 points, the grid 12");
    EXPECT_NE(tiling_fault(plane, {}), "");
}

TEST(Tiling, sees_a_box_twice_where_another_is_missing) {
    const std::vector<Box> boxes{box({0, 2}, {0, 3}), box({0, 2}, {0, 3})};
    EXPECT_EQ(tiling_fault(plane, boxes), "the boxes overlap, or leave a gap");
    const std::vector<Box> shifted{box({1, 2}, {0, 3}), box({3, 2}, {0, 3})};
    EXPECT_EQ(tiling_fault(plane, shifted), "the boxes overlap, or leave a gap");
}

}  // namespace
}  // namespace dse::space
