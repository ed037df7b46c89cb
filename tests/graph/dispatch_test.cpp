#include "dse/graph/dispatch.hpp"

#include <gtest/gtest.h>

namespace dse::graph {
namespace {

TEST(SentShare, ChoicesAreIndependent) {
    // Of two places, two choices need 2 (1 - 1/4) = 1.5; of one, one.
    EXPECT_DOUBLE_EQ(sent_share({2.0}, 2), 0.75);
    EXPECT_DOUBLE_EQ(sent_share({2.0}, 1), 0.5);
}

/// Of 16 experts a place, 8 that begin at 0 or 8 are all there; 6 begin at all even places, so that of 8
/// beginnings two (12 and 14) reach the next place: 1.25 places. 22 of 8 a place, which begin at even places,
/// hold 3 places if they begin at 0 or 2, and else 4: 3.5.
TEST(SentShare, NeighboursShareAPlace) {
    EXPECT_DOUBLE_EQ(sent_share({8.0, 128.0}, 8), 1.0 / 8.0);
    EXPECT_DOUBLE_EQ(sent_share({6.0, 128.0}, 8), 1.25 / 6.0);
    EXPECT_DOUBLE_EQ(sent_share({22.0, 512.0}, 64), 3.5 / 22.0);
    EXPECT_DOUBLE_EQ(sent_share({8.0, 128.0}, 1), 1.0 / 8.0);
    // Four experts on four places, all chosen.
    EXPECT_DOUBLE_EQ(sent_share({4.0, 4.0}, 4), 1.0);
}

}  // namespace
}  // namespace dse::graph
