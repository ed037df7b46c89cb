#include "dse/dist/lease_queue.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

TEST(LeaseQueue, HandsOutWhatIsNotCovered) {
    LeaseQueue queue{10, results::IntervalSet{{{2, 5}, {9, 30}}}};
    EXPECT_EQ(queue.remaining(), 6U);
    EXPECT_EQ(queue.next(4), (Range{0, 2}));
    EXPECT_EQ(queue.next(3), (Range{5, 3}));
    EXPECT_EQ(queue.next(3), (Range{8, 1}));
    EXPECT_EQ(queue.next(3), std::nullopt);
    EXPECT_EQ(queue.remaining(), 0U);
}

TEST(LeaseQueue, HandsOutFirstWhatWasGivenBack) {
    LeaseQueue queue{10, {}};
    queue.next(5);
    queue.give_back({1, 2});
    EXPECT_EQ(queue.remaining(), 7U);
    EXPECT_EQ(queue.next(9), (Range{1, 2}));
    EXPECT_EQ(queue.next(9), (Range{5, 5}));
}

TEST(LeaseQueue, HandsOutLastWhatWasPostponed) {
    LeaseQueue queue{6, results::IntervalSet{{{2, 3}}}};
    queue.postpone({2, 1});
    queue.postpone({9, 0});
    EXPECT_EQ(queue.remaining(), 6U);
    EXPECT_EQ(queue.next(9), (Range{0, 2}));
    EXPECT_EQ(queue.next(9), (Range{3, 3}));
    EXPECT_EQ(queue.next(9), (Range{2, 1}));
    EXPECT_EQ(queue.next(9), std::nullopt);
}

TEST(LeaseQueue, JoinsAppendedIndicesThatFollowOneAnother) {
    LeaseQueue queue{0, {}};
    EXPECT_EQ(queue.next(9), std::nullopt);
    for (const std::uint64_t index : {4, 5, 8, 9}) queue.append(index);
    EXPECT_EQ(queue.remaining(), 4U);
    EXPECT_EQ(queue.next(9), (Range{4, 2}));
    queue.append(10);
    EXPECT_EQ(queue.next(9), (Range{8, 3}));
    EXPECT_EQ(queue.remaining(), 0U);
}

TEST(LeaseQueue, HoldsASpaceThatNobodyCouldEnumerate) {
    constexpr std::uint64_t huge = 1'000'000'000'000'000;
    LeaseQueue queue{huge, results::IntervalSet{{{0, huge / 2}}}};
    EXPECT_EQ(queue.next(1), (Range{huge / 2, 1}));
    EXPECT_EQ(queue.remaining(), huge / 2 - 1);
}

TEST(LeaseSizing, TakesAShareOfWhatIsLeft) {
    const LeaseSizing sizing{.target_seconds = 1.0, .first = 16, .least = 1, .most = 1000};
    EXPECT_EQ(sizing.size(800, 4, 1e9), 100U);  // 800 / (2 * 4)
    EXPECT_EQ(sizing.size(800, 4, 50.0), 50U);  // what it does in a second
    EXPECT_EQ(sizing.size(1 << 20, 4, 1e9), 1000U);
    EXPECT_EQ(sizing.size(1 << 20, 4, 0.0), 16U);
    EXPECT_EQ(sizing.size(3, 4, 1e9), 1U);
    EXPECT_EQ(sizing.size(800, 4, 1e-3), 1U);
}

TEST(LeaseSizing, ShrinksToTheEnd) {
    const LeaseSizing sizing;
    std::uint64_t remaining = 100000;
    std::uint64_t last = remaining;
    int leases = 0;
    while (remaining > 0) {
        const std::uint64_t size = sizing.size(remaining, 4, 1e9);
        EXPECT_LE(size, last);
        ASSERT_LE(size, remaining);
        last = size;
        remaining -= size;
        ++leases;
    }
    EXPECT_EQ(last, 1U);
    EXPECT_LT(leases, 200);
}

}  // namespace
}  // namespace dse::dist
