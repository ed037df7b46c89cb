#include "dse/netsim/flow/event_heap.hpp"

#include "dse/base/check.hpp"

namespace dse::netsim::flow {

void EventHeap::put(std::size_t place, const Entry& entry) {
    heap_[place] = entry;
    place_[entry.slot] = static_cast<std::uint32_t>(place);
}

void EventHeap::rise(std::size_t place) {
    const Entry entry = heap_[place];
    while (place > 0 && entry < heap_[(place - 1) / 2]) {
        put(place, heap_[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(place, entry);
}

void EventHeap::sink(std::size_t place) {
    const Entry entry = heap_[place];
    for (;;) {
        std::size_t child = 2 * place + 1;
        if (child >= heap_.size()) break;
        if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
        if (!(heap_[child] < entry)) break;
        put(place, heap_[child]);
        place = child;
    }
    put(place, entry);
}

void EventHeap::set_unordered(std::uint32_t slot, double time) {
    if (contains(slot)) {
        heap_[place_[slot]].time = time;
        return;
    }
    if (slot >= place_.size()) place_.resize(slot + 1, nowhere);
    place_[slot] = static_cast<std::uint32_t>(heap_.size());
    heap_.push_back({time, slot});
}

void EventHeap::set(std::uint32_t slot, double time) {
    set_unordered(slot, time);
    rise(place_[slot]);
    sink(place_[slot]);
}

void EventHeap::restore() {
    for (std::size_t place = heap_.size() / 2; place-- > 0;) sink(place);
}

void EventHeap::erase(std::uint32_t slot) {
    DSE_EXPECT(contains(slot));
    const std::size_t place = place_[slot];
    place_[slot] = nowhere;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place == heap_.size()) return;
    put(place, last);
    rise(place);
    sink(place_[last.slot]);
}

}  // namespace dse::netsim::flow
