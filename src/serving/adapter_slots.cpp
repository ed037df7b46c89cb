#include "dse/serving/adapter_slots.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::serving {

AdapterSlots::AdapterSlots(std::int64_t adapters, std::int64_t slots)
    : slots_{static_cast<std::size_t>(slots)}, adapters_(static_cast<std::size_t>(adapters)) {
    DSE_EXPECT(slots >= 1);
    const std::size_t most = std::min(slots_, adapters_.size());
    active_.reserve(most);
    resident_.reserve(most);
}

bool AdapterSlots::enter(std::uint32_t adapter) {
    DSE_EXPECT(allow(adapter));
    Adapter& entered = adapters_[adapter];
    if (entered.users++ == 0) active_.push_back(adapter);
    if (entered.resident) return false;
    entered.resident = true;
    if (resident_.size() < slots_) {
        resident_.push_back(adapter);
        return true;
    }
    // Not all places are of active adapters, since this one is allowed.
    const auto unused_longest = [&](std::uint32_t a, std::uint32_t b) {
        const Adapter& one = adapters_[a];
        const Adapter& other = adapters_[b];
        if ((one.users > 0) != (other.users > 0)) return one.users == 0;
        return one.left < other.left;
    };
    const auto place = std::ranges::min_element(resident_, unused_longest);
    DSE_ENSURE(adapters_[*place].users == 0);
    adapters_[*place].resident = false;
    *place = adapter;
    return true;
}

void AdapterSlots::leave(std::uint32_t adapter) {
    Adapter& left = adapters_[adapter];
    DSE_EXPECT(left.users > 0);
    if (--left.users > 0) return;
    left.left = departures_++;
    *std::ranges::find(active_, adapter) = active_.back();
    active_.pop_back();
}

void AdapterSlots::wait(std::uint32_t adapter, std::size_t number) {
    Adapter& waited = adapters_[adapter];
    // Reuses the memory of those who have left the line.
    if (waited.next > 0 && waited.line.size() == waited.line.capacity()) {
        waited.line.erase(waited.line.begin(),
                          waited.line.begin() + static_cast<std::ptrdiff_t>(waited.next));
        waited.next = 0;
    }
    waited.line.push_back(number);
}

std::size_t AdapterSlots::first(std::uint32_t adapter) const {
    const Adapter& waited = adapters_[adapter];
    return waited.next < waited.line.size() ? waited.line[waited.next] : nobody;
}

void AdapterSlots::pop(std::uint32_t adapter) {
    Adapter& waited = adapters_[adapter];
    DSE_EXPECT(waited.next < waited.line.size());
    if (++waited.next < waited.line.size()) return;
    waited.line.clear();
    waited.next = 0;
}

void AdapterSlots::drop(std::uint32_t adapter, std::size_t number) {
    Adapter& waited = adapters_[adapter];
    const auto first = waited.line.begin() + static_cast<std::ptrdiff_t>(waited.next);
    const auto found = std::find(first, waited.line.end(), number);
    DSE_EXPECT(found != waited.line.end());
    if (found == first) return pop(adapter);
    waited.line.erase(found);
}

}  // namespace dse::serving
