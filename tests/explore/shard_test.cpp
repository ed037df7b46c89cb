#include "dse/explore/shard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::explore {
namespace {

using results::Interval;

TEST(Shard, IsTheFirstOfSoMany) {
    EXPECT_EQ(parse_shard("2/8").index, 2U);
    EXPECT_EQ(parse_shard("2/8").number, 8U);
    for (const char* text : {"", "/", "2", "0/8", "9/8", "2/", "/8", "2/8x", "-1/8", "1/1000001", "1.5/2"})
        EXPECT_THROW(parse_shard(text), InputError) << text;
}

// 1,000 indices in 3 x 64 = 192 pieces: 40 of six indices, 152 of five.
TEST(Shard, SharesOutEveryIndexOnce) {
    std::uint64_t left = 0;
    for (std::uint64_t index = 1; index <= 3; ++index) {
        const std::uint64_t own = 1000 - others({index, 3}, 1000).count();
        EXPECT_NEAR(static_cast<double>(own), 1000.0 / 3, 6);
        left += own;
    }
    EXPECT_EQ(left, 1000U);
    EXPECT_TRUE(others({2, 3}, 1000).contains(0));
    EXPECT_FALSE(others({2, 3}, 1000).contains(6)) << "the second piece is the second shard's";
    EXPECT_FALSE(others({1, 3}, 1000).contains(999 - 2 * 5)) << "piece 189";
}

TEST(Shard, OfFewerPointsThanShardsMayBeEmpty) {
    EXPECT_EQ(others({3, 3}, 2).intervals(), (std::vector<Interval>{{0, 2}}));
    EXPECT_EQ(others({2, 3}, 2).intervals(), (std::vector<Interval>{{0, 1}}));
    EXPECT_EQ(others({1, 1}, 5).count(), 0U);
    EXPECT_EQ(others({1, 2}, 0).count(), 0U);
}

}  // namespace
}  // namespace dse::explore
