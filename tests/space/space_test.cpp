#include "dse/space/space.hpp"

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

TEST(Space, NumbersPointsInMixedRadix) {
    const auto space = testing::compile(testing::layout_sweep);
    ASSERT_TRUE(space);
    // 4 · 4 · 4 · 3 · 2 = 384 points; the first axis is the slowest.
    EXPECT_EQ(space->grid_size().exact, 384U);
    EXPECT_EQ(space->stride(0), 96U);
    EXPECT_EQ(space->stride(4), 1U);
    Point point;
    // tp = 4 (digit 2), pp = 2 (1), microbatch = 8 (3), schedule = 1f1b (1), 400 Gbps (1):
    // 2·96 + 1·24 + 3·6 + 1·2 + 1 = 237; dp = 64 / (4·2) = 8; 64 % (8·8) == 0: in the space.
    EXPECT_TRUE(space->point(237, point));
    EXPECT_EQ(point.id, 237U);
    EXPECT_EQ(point.values, (std::vector<double>{4, 2, 8, 1, 5e10, 8}));
    // pp = 3 (2) does not divide: 2·96 + 2·24 = 240.
    EXPECT_FALSE(space->point(240, point));
    EXPECT_EQ(point.values[1], 3.0);
    // tp = 1, pp = 1, microbatch = 2: 64 % (64·2) != 0.
    EXPECT_FALSE(space->point(6, point));
    // interleaved needs pp > 1.
    EXPECT_FALSE(space->point(3 * 96 + 4, point));
}

TEST(Space, FixedConditionsDecideForAll) {
    const auto none = testing::compile("axes:\n  tp: [1, 2]\nrequire:\n  - devices == 65\n");
    ASSERT_TRUE(none);
    EXPECT_EQ(none->steps_at(0).size(), 1U);
    Point point;
    EXPECT_FALSE(none->point(1, point));
}

TEST(Space, KnowsSizesBeyond64Bits) {
    std::string text = "axes:\n";
    std::string sum = "n0";
    for (int i = 0; i < 9; ++i) text += "  n" + std::to_string(i) + ": {from: 1, to: 1000}\n";
    for (int i = 1; i < 9; ++i) sum += " + n" + std::to_string(i);
    const auto space = testing::compile(text + "require: [" + sum + " > 0]\n");
    ASSERT_TRUE(space);
    EXPECT_FALSE(space->grid_size().exact);
    EXPECT_NEAR(space->grid_size().approximate, 1e27, 1e13);
    const auto fits =
        testing::compile("axes:\n  tp: {from: 1, to: 1000000000}\n  pp: {from: 1, to: 1000000000}\n");
    ASSERT_TRUE(fits);
    EXPECT_EQ(fits->grid_size().exact, 1'000'000'000'000'000'000U);
}

}  // namespace
}  // namespace dse::space
