#include "dse/config/range.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace dse::config {
namespace {

TEST(Range, ends_belong_to_it_unless_they_are_left_out) {
    EXPECT_TRUE(at_least(1).contains(1));
    EXPECT_FALSE(at_least(1).contains(0.999));
    EXPECT_FALSE(above(1).contains(1));
    EXPECT_TRUE(above(1).contains(1.001));
    EXPECT_TRUE(share.contains(0) && share.contains(1));
    EXPECT_FALSE(share.contains(-1e-9) || share.contains(1 + 1e-9));
    EXPECT_TRUE(!fraction.contains(0) && fraction.contains(1e-300) && fraction.contains(1));
}

TEST(Range, what_is_no_number_is_outside) {
    for (const Range& range : {Range{}, not_negative, positive, share}) {
        EXPECT_FALSE(range.contains(std::numeric_limits<double>::quiet_NaN()));
        EXPECT_FALSE(range.contains(std::numeric_limits<double>::infinity()));
        EXPECT_FALSE(range.contains(-std::numeric_limits<double>::infinity()));
    }
    EXPECT_TRUE(Range{}.contains(-1e300));
}

TEST(Range, knows_whether_it_has_an_end) {
    EXPECT_FALSE(Range{}.is_limited());
    EXPECT_TRUE(not_negative.is_limited());
    EXPECT_TRUE((Range{-Range::unlimited, 2, false}).is_limited());
}

}  // namespace
}  // namespace dse::config
