#include "sim/event/unstarted.hpp"

#include <memory>

#include <gtest/gtest.h>

namespace dse::sim::event {
namespace {

ActivityPtr numbered(std::uint64_t number) {
    auto activity = std::make_shared<Activity>();
    activity->number = number;
    return activity;
}

TEST(Unstarted, KnowsTheFirstInIssueOrder) {
    Unstarted unstarted;
    EXPECT_TRUE(unstarted.empty());
    for (std::uint64_t number = 0; number < 4; ++number) unstarted.add(number, numbered(number));
    EXPECT_EQ(unstarted.size(), 4U);
    unstarted.erase(1);
    EXPECT_EQ(unstarted.front().number, 0U);
    unstarted.erase(0);
    EXPECT_EQ(unstarted.front().number, 2U);
    unstarted.add(4, numbered(4));
    EXPECT_EQ(unstarted.size(), 3U);
    for (const std::uint64_t number : {3U, 4U, 2U}) unstarted.erase(number);
    EXPECT_TRUE(unstarted.empty());
    unstarted.add(5, numbered(5));
    EXPECT_EQ(unstarted.front().number, 5U);
}

}  // namespace
}  // namespace dse::sim::event
