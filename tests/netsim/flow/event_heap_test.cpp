#include "dse/netsim/flow/event_heap.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace dse::netsim::flow {
namespace {

TEST(EventHeap, EqualTimesComeInTheOrderOfSlots) {
    EventHeap heap;
    for (const std::uint32_t slot : {4U, 1U, 3U}) heap.set(slot, 2.0);
    heap.set(9, 1.0);
    std::vector<std::uint32_t> order;
    while (!heap.empty()) {
        order.push_back(heap.top());
        heap.erase(heap.top());
    }
    EXPECT_EQ(order, (std::vector<std::uint32_t>{9, 1, 3, 4}));
}

TEST(EventHeap, IsAnOrderedSetUnderAnyChanges) {
    std::mt19937_64 random{3};
    EventHeap heap;
    std::set<std::pair<double, std::uint32_t>> expected;
    std::map<std::uint32_t, double> time_of;
    const auto forget = [&](std::uint32_t slot) {
        expected.erase({time_of.at(slot), slot});
        time_of.erase(slot);
    };
    for (int step = 0; step < 20000; ++step) {
        const auto slot = static_cast<std::uint32_t>(random() % 50);
        ASSERT_EQ(heap.contains(slot), time_of.contains(slot));
        if (random() % 3 == 0 && heap.contains(slot)) {
            heap.erase(slot);
            forget(slot);
        } else {
            const auto time = static_cast<double>(random() % 20);
            if (time_of.contains(slot)) forget(slot);
            if (random() % 4 == 0) {
                heap.set_unordered(slot, time);
                heap.restore();
            } else {
                heap.set(slot, time);
            }
            expected.insert({time, slot});
            time_of[slot] = time;
        }
        ASSERT_EQ(heap.size(), expected.size());
        if (heap.empty()) continue;
        ASSERT_EQ(heap.top(), expected.begin()->second);
        ASSERT_EQ(heap.top_time(), expected.begin()->first);
    }
}

}  // namespace
}  // namespace dse::netsim::flow
