#include "dse/serving/paged_cache.hpp"

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

TEST(PagedCache, CountsPages) {
    PagedCache cache{10, 16};
    EXPECT_EQ(cache.pages_of(0), 0);
    EXPECT_EQ(cache.pages_of(1), 1);
    EXPECT_EQ(cache.pages_of(16), 1);
    EXPECT_EQ(cache.pages_of(17), 2);
    cache.take(3);
    EXPECT_EQ(cache.free(), 7);
    EXPECT_EQ(cache.used(), 3);
    cache.give(3);
    EXPECT_EQ(cache.free(), 10);
}

/// 14 tokens are cached before step 5: the page is full before step 7, and again 16 steps later.
TEST(PagedCache, KnowsWhenPagesAreNeeded) {
    PagedCache cache{10, 16};
    cache.join(14 - 5);
    EXPECT_EQ(cache.needed(5), 0);
    EXPECT_EQ(cache.needed(6), 0);
    EXPECT_EQ(cache.needed(7), 1);
    EXPECT_EQ(cache.needed(8), 0);
    EXPECT_EQ(cache.needed(23), 1);
    cache.advance(5, 2);
    EXPECT_EQ(cache.used(), 0);
    cache.advance(7, 17);
    EXPECT_EQ(cache.used(), 2);
    cache.leave(14 - 5);
    EXPECT_EQ(cache.needed(39), 0);
}

/// Against taking steps one by one.
TEST(PagedCache, StepsFitAsLongAsPagesDo) {
    for (const std::int64_t free : {0, 1, 2, 3, 5, 7, 20}) {
        PagedCache cache{free, 4};
        for (const std::int64_t offset : {0, 1, 1, 7, -6}) cache.join(offset);
        for (std::int64_t first = 0; first < 9; ++first) {
            std::int64_t left = free;
            std::int64_t steps = 0;
            while (steps < 12 && cache.needed(first + steps) <= left) left -= cache.needed(first + steps++);
            EXPECT_EQ(cache.steps_that_fit(first, 12), steps) << free << " from " << first;
        }
    }
}

}  // namespace
}  // namespace dse::serving
