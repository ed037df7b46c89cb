#include "sim/event/unstarted.hpp"

#include <gtest/gtest.h>

#include "sim/event/pool.hpp"

namespace dse::sim::event {
namespace {

ActivityPtr numbered(Pool<Activity>& activities, std::uint64_t number) {
    ActivityPtr activity = activities.make();
    activity->number = number;
    return activity;
}

TEST(Unstarted, KnowsTheFirstInIssueOrder) {
    Pool<Activity> activities;
    Unstarted unstarted;
    EXPECT_TRUE(unstarted.empty());
    for (std::uint64_t number = 0; number < 4; ++number) unstarted.add(number, numbered(activities, number));
    EXPECT_EQ(unstarted.size(), 4U);
    unstarted.erase(1);
    EXPECT_EQ(unstarted.front().number, 0U);
    unstarted.erase(0);
    EXPECT_EQ(unstarted.front().number, 2U);
    unstarted.add(4, numbered(activities, 4));
    EXPECT_EQ(unstarted.size(), 3U);
    for (const std::uint64_t number : {3U, 4U, 2U}) unstarted.erase(number);
    EXPECT_TRUE(unstarted.empty());
    unstarted.add(5, numbered(activities, 5));
    EXPECT_EQ(unstarted.front().number, 5U);
    for (std::uint64_t number = 6; number < 100; ++number) {
        unstarted.add(number, numbered(activities, number));
        unstarted.erase(number - 1);
        EXPECT_EQ(unstarted.front().number, number);
    }
}

}  // namespace
}  // namespace dse::sim::event
