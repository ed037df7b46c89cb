#include "sim/replay/tick_order.hpp"

#include <gtest/gtest.h>

namespace dse::sim::replay {
namespace {

constexpr TickOrder::Lanes kernels = 1;
constexpr TickOrder::Lanes messages = 2;
constexpr TickOrder::Lanes host = 4;

TEST(TickOrder, ends_of_different_ticks_have_one_order) {
    TickOrder order;
    EXPECT_FALSE(order.matters({.tick = 5, .freed = kernels, .ready = kernels}));
    EXPECT_FALSE(order.matters({.tick = 6, .freed = messages, .ready = kernels}));
}

TEST(TickOrder, ends_of_a_tick_that_meet_in_a_lane_may_exchange_what_runs_there) {
    // A message makes a kernel ready while another kernel ends: the first of the two chooses the next one.
    TickOrder order;
    EXPECT_FALSE(order.matters({.tick = 5, .freed = kernels}));
    EXPECT_TRUE(order.matters({.tick = 5, .freed = messages, .ready = kernels}));
    // Both make one ready.
    TickOrder both;
    EXPECT_FALSE(both.matters({.tick = 5, .freed = messages, .ready = kernels}));
    EXPECT_TRUE(both.matters({.tick = 5, .freed = host, .ready = kernels}));
}

TEST(TickOrder, ends_of_a_tick_in_lanes_of_their_own_do_not_matter) {
    TickOrder order;
    EXPECT_FALSE(order.matters({.tick = 5, .freed = kernels, .ready = kernels}));
    EXPECT_FALSE(order.matters({.tick = 5, .freed = messages, .ready = messages}));
    EXPECT_TRUE(order.matters({.tick = 5, .freed = host, .ready = messages})) << "the third meets the second";
}

TEST(TickOrder, a_node_that_waited_for_both_may_come_too_late_for_its_lane) {
    // The message's lane is freed by the second end alone, which also makes a message ready that waited for
    // the kernel: had the kernel ended last, another message would have started before.
    TickOrder order;
    EXPECT_FALSE(order.matters({.tick = 5, .freed = kernels}));
    EXPECT_TRUE(order.matters({.tick = 5, .freed = messages, .ready = messages, .joint = messages}));
    // In a lane that nothing else touches, it starts in this tick, whichever ends last.
    TickOrder idle;
    EXPECT_FALSE(idle.matters({.tick = 5, .freed = kernels}));
    EXPECT_FALSE(idle.matters({.tick = 5, .freed = messages, .ready = host, .joint = host}));
}

TEST(TickOrder, ends_that_follow_from_one_another_have_one_order) {
    TickOrder order;
    EXPECT_FALSE(order.matters({.tick = 5, .freed = messages, .ready = kernels}));
    EXPECT_FALSE(order.matters({.tick = 5, .follows = true, .freed = kernels, .ready = kernels}));
    EXPECT_TRUE(order.matters({.tick = 5, .freed = host, .ready = kernels})) << "this one may come before";
}

TEST(TickOrder, what_waits_for_the_next_end_depends_on_which_comes_first) {
    TickOrder order;
    EXPECT_FALSE(order.matters({.tick = 5, .waiting = true, .freed = kernels}));
    EXPECT_TRUE(order.matters({.tick = 5, .freed = messages}));
    // A node that ended as it started, between the two.
    TickOrder passing;
    EXPECT_FALSE(passing.matters({.tick = 5, .freed = kernels}));
    passing.passed(5);
    EXPECT_TRUE(passing.matters({.tick = 5, .freed = messages}));
    EXPECT_FALSE(passing.matters({.tick = 6, .freed = messages}));
}

}  // namespace
}  // namespace dse::sim::replay
