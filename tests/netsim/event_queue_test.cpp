#include "dse/netsim/event_queue.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

using Movable = EventQueue<double, std::monostate, MovableEvents>;

TEST(EventQueue, EventsOfOneTimeComeAsTheyWerePushed) {
    EventQueue<std::int64_t, std::string> queue;
    for (const char* event : {"b", "c", "d"}) queue.push(7, event);
    queue.push(3, "a");
    queue.push(9, "f");
    queue.push(7, "e");
    std::string order;
    std::vector<std::int64_t> times;
    while (!queue.empty()) {
        times.push_back(queue.next_time());
        order += queue.pop().event;
    }
    EXPECT_EQ(order, "abcdef");
    EXPECT_EQ(times, (std::vector<std::int64_t>{3, 7, 7, 7, 7, 9}));
}

TEST(EventQueue, EventsOfOneTimeComeByTheirNumbers) {
    EventQueue<double, char> queue;
    for (const std::uint64_t number : {4U, 1U, 3U}) queue.push(2.0, number, 'x');
    queue.push(1.0, 9, 'y');
    std::vector<std::uint64_t> order;
    while (!queue.empty()) order.push_back(queue.pop().number);
    EXPECT_EQ(order, (std::vector<std::uint64_t>{9, 1, 3, 4}));
}

TEST(EventQueue, AClearedQueueIsNew) {
    EventQueue<double, char> queue;
    queue.push(1.0, 'a');
    queue.clear();
    EXPECT_TRUE(queue.empty());
    queue.push(2.0, 'b');
    EXPECT_EQ(queue.top().number, 0U);
    EXPECT_EQ(queue.size(), 1U);
}

TEST(EventQueue, IsAnOrderedSetWhateverComesAndGoes) {
    std::mt19937_64 random{7};
    EventQueue<double, std::uint64_t> queue;
    std::set<std::pair<double, std::uint64_t>> expected;
    for (std::uint64_t step = 0; step < 20000; ++step) {
        if (random() % 5 < 2 && !expected.empty()) {
            const auto entry = queue.pop();
            ASSERT_EQ(std::pair(entry.time, entry.number), *expected.begin());
            ASSERT_EQ(entry.event, entry.number * 3);
            expected.erase(expected.begin());
        } else {
            const auto time = static_cast<double>(random() % 100);
            queue.push(time, step, step * 3);
            expected.emplace(time, step);
        }
        ASSERT_EQ(queue.size(), expected.size());
    }
}

TEST(EventQueue, MovableEventsAreAnOrderedSetUnderAnyChanges) {
    std::mt19937_64 random{3};
    Movable queue;
    std::set<std::pair<double, std::uint64_t>> expected;
    std::map<std::uint64_t, double> time_of;
    const auto forget = [&](std::uint64_t number) {
        expected.erase({time_of.at(number), number});
        time_of.erase(number);
    };
    for (int step = 0; step < 20000; ++step) {
        const std::uint64_t number = random() % 50;
        ASSERT_EQ(queue.contains(number), time_of.contains(number));
        if (random() % 3 == 0 && queue.contains(number)) {
            if (random() % 2 == 0) {
                queue.erase(number);
                forget(number);
            } else {
                forget(queue.pop().number);
            }
        } else {
            const auto time = static_cast<double>(random() % 20);
            if (time_of.contains(number)) forget(number);
            if (random() % 4 == 0) {
                queue.set_unordered(number, time);
                queue.restore();
            } else {
                queue.set(number, time);
            }
            expected.insert({time, number});
            time_of[number] = time;
        }
        ASSERT_EQ(queue.size(), expected.size());
        if (queue.empty()) continue;
        ASSERT_EQ(queue.top().number, expected.begin()->second);
        ASSERT_EQ(queue.next_time(), expected.begin()->first);
    }
}

}  // namespace
}  // namespace dse::netsim
