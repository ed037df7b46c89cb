#include "sim/event/pool.hpp"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/event/activity.hpp"

namespace dse::sim::event {
namespace {

TEST(Pool, UsesFirstWhatWasFreedLast) {
    Pool<Activity> pool;
    ActivityPtr kept = pool.make();
    ActivityPtr one = pool.make();
    const Activity* const place = one.get();
    one->number = 7;
    one = nullptr;
    EXPECT_EQ(pool.make().get(), place);
    EXPECT_EQ(pool.make()->number, 0U);
    EXPECT_NE(kept.get(), place);
}

TEST(Pool, KeepsWhatSomebodyRefersTo) {
    Pool<Activity> pool;
    ActivityPtr one = pool.make();
    ActivityPtr other = one;
    const ActivityPtr moved = std::move(one);
    EXPECT_EQ(moved, other);
    EXPECT_EQ(moved->references, 2U);
    other = pool.make();
    EXPECT_EQ(moved->references, 1U);
    EXPECT_NE(moved, other);
}

TEST(Pool, GrowsWithWhatIsInUse) {
    Pool<Activity> pool;
    std::vector<ActivityPtr> all;
    std::set<const Activity*> places;
    for (int i = 0; i < 1000; ++i) {
        all.push_back(pool.make());
        places.insert(all.back().get());
    }
    EXPECT_EQ(places.size(), 1000U);
}

/// An activity that waits for another one is kept by it.
TEST(Pool, FreesWaitersWithWhatTheyWaitFor) {
    Pool<Activity> pool;
    ActivityPtr one = pool.make();
    const Activity* waiter = nullptr;
    {
        const ActivityPtr other = pool.make();
        waiter = other.get();
        one->waiters.add({other, 0, Signal::value});
    }
    EXPECT_EQ(waiter->references, 1U);
    one = nullptr;
    EXPECT_NE(pool.make().get(), nullptr);
    EXPECT_EQ(waiter->references, 0U);
}

}  // namespace
}  // namespace dse::sim::event
