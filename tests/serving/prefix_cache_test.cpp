#include "dse/serving/prefix_cache.hpp"

#include <array>

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

/// Ten pages; pieces 0 and 1, of two pages each, were computed by somebody who has left.
class Prefixes : public ::testing::Test {
  protected:
    Prefixes() {
        cache_.take(5);
        EXPECT_TRUE(cache_.add(0));
        EXPECT_TRUE(cache_.add(1));
        cache_.give(1);
        EXPECT_TRUE(cache_.leave(1));
        EXPECT_TRUE(cache_.leave(0));
    }

    static constexpr std::array<std::uint32_t, 3> path{0, 1, 2};
    PrefixCache cache_{4, 2, 10};
};

TEST_F(Prefixes, StayWhenNobodyUsesThem) {
    EXPECT_EQ(cache_.hits(path), 2U);
    EXPECT_EQ(cache_.idle_pages({path.data(), 2}), 4);
}

/// In the line: 5 pages that were never used, 1 that was the leaver's own, 2 of piece 1, 2 of piece 0.
TEST_F(Prefixes, AreForgottenWhenTheirPagesAreTaken) {
    cache_.take(6);
    EXPECT_EQ(cache_.hits(path), 2U);
    cache_.take(1);
    EXPECT_EQ(cache_.hits(path), 1U) << "the end went first";
    cache_.take(1);
    EXPECT_EQ(cache_.hits(path), 1U) << "its second page was free already";
    cache_.take(2);
    EXPECT_EQ(cache_.hits(path), 0U);
}

TEST_F(Prefixes, ThatAreUsedLeaveTheLine) {
    EXPECT_TRUE(cache_.use(1));
    EXPECT_FALSE(cache_.use(1)) << "somebody does already";
    EXPECT_EQ(cache_.idle_pages({path.data(), 2}), 2);
    cache_.take(8);
    EXPECT_EQ(cache_.hits(path), 0U) << "piece 0 is gone";
    const std::array<std::uint32_t, 1> second{1};
    EXPECT_EQ(cache_.hits(second), 1U);
    EXPECT_FALSE(cache_.leave(1));
    EXPECT_TRUE(cache_.leave(1));
    cache_.take(2);
    EXPECT_EQ(cache_.hits(second), 0U);
}

TEST_F(Prefixes, AreThereOnce) {
    EXPECT_FALSE(cache_.add(0));
    EXPECT_TRUE(cache_.add(3));
}

/// In the line: 4 pages without contents, 3 of the first sequence, 1 without contents, 2 of the second.
class LeftBehind : public ::testing::Test {
  protected:
    LeftBehind() {
        cache_.take(6);
        cache_.leave_behind(0, 3);
        cache_.give(1);
        cache_.leave_behind(1, 2);
    }

    PrefixCache cache_{0, 0, 10, 2};
};

TEST_F(LeftBehind, IsLostFromTheEnd) {
    cache_.take(4);
    EXPECT_EQ(cache_.left_behind(0), 3);
    cache_.take(2);
    EXPECT_EQ(cache_.left_behind(0), 1);
    cache_.take(3);
    EXPECT_EQ(cache_.left_behind(0), 0);
    EXPECT_EQ(cache_.left_behind(1), 1);
}

TEST_F(LeftBehind, IsTakenUp) {
    cache_.take_up(0);
    EXPECT_EQ(cache_.left_behind(0), 0);
    cache_.take(5);
    EXPECT_EQ(cache_.left_behind(1), 2);
    cache_.take(1);
    EXPECT_EQ(cache_.left_behind(1), 1);
}

/// By priority, more sequences may be preempted and running than run at once.
TEST_F(LeftBehind, BySequencesBeyondThoseThatRunAtOnce) {
    EXPECT_EQ(cache_.left_behind(5), 0);
    cache_.leave_behind(5, 1);
    EXPECT_EQ(cache_.left_behind(5), 1);
    EXPECT_EQ(cache_.left_behind(4), 0);
    EXPECT_EQ(cache_.left_behind(1), 2);
    cache_.forget(5);
    EXPECT_EQ(cache_.left_behind(5), 0);
}

TEST_F(LeftBehind, IsForgottenWhereItIs) {
    cache_.forget(0);
    EXPECT_EQ(cache_.left_behind(0), 0);
    cache_.take(8);
    EXPECT_EQ(cache_.left_behind(1), 2);
}

}  // namespace
}  // namespace dse::serving
