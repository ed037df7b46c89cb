#include "sim/event/waiters.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/event/activity.hpp"

namespace dse::sim::event {
namespace {

TEST(Waiters, StayInTheOrderInWhichTheyCame) {
    Pool<Activity> activities;
    Waiters waiters;
    EXPECT_TRUE(waiters.empty());
    for (std::uint8_t slot = 0; slot < 5; ++slot) waiters.add({activities.make(), slot, Signal::stream});
    EXPECT_FALSE(waiters.empty());
    std::vector<int> slots;
    waiters.for_each([&](const Waiter& waiter) { slots.push_back(waiter.slot); });
    EXPECT_THAT(slots, testing::ElementsAre(0, 1, 2, 3, 4));
}

}  // namespace
}  // namespace dse::sim::event
