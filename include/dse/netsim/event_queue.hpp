#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "dse/base/check.hpp"

namespace dse::netsim {

/// Bookkeeping for an EventQueue whose events cannot be changed.
struct FixedEvents {
    void put(std::uint64_t /*number*/, std::size_t /*place*/) {}
    void forget(std::uint64_t /*number*/) {}
};

/// Bookkeeping for an EventQueue whose events 0, 1, 2, … can be moved and removed: the position of each.
class MovableEvents {
  public:
    [[nodiscard]] bool contains(std::uint64_t number) const {
        return number < places_.size() && places_[number] != nowhere;
    }
    /// \pre contains(number)
    [[nodiscard]] std::size_t place(std::uint64_t number) const { return places_[number]; }
    void put(std::uint64_t number, std::size_t place) {
        if (number >= places_.size()) places_.resize(number + 1, nowhere);
        places_[number] = static_cast<std::uint32_t>(place);
    }
    void forget(std::uint64_t number) { places_[number] = nowhere; }

  private:
    static constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> places_;  ///< by event number
};

/// The event queue of all simulations. Events of equal time are ordered by their unique numbers, so that
/// results do not depend on the heap. It allocates only when it grows beyond its largest size so far.
/// \tparam Time  seconds, or ticks
/// \tparam Event  payload
/// \tparam Account  FixedEvents, or MovableEvents
template <class Time, class Event = std::monostate, class Account = FixedEvents>
class EventQueue {
  public:
    struct Entry {
        Time time{};
        std::uint64_t number{0};
        [[no_unique_address]] Event event{};
    };

    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] std::size_t size() const { return heap_.size(); }
    /// \pre !empty()
    [[nodiscard]] const Entry& top() const { return heap_.front(); }
    [[nodiscard]] Time next_time() const { return heap_.front().time; }

    /// Adds an event, numbered in the order of calls.
    void push(Time time, Event event) { push(time, pushed_++, std::move(event)); }
    /// Adds an event with a number that no other event in the queue has.
    void push(Time time, std::uint64_t number, Event event) {
        heap_.emplace_back();
        rise(heap_.size() - 1, {time, number, std::move(event)});
    }
    /// \pre !empty()
    Entry pop() {
        Entry first = std::move(heap_.front());
        remove(0);
        return first;
    }
    /// Removes all events and restarts the numbering.
    void clear() {
        heap_.clear();
        pushed_ = 0;
    }

    // For movable events.

    [[nodiscard]] bool contains(std::uint64_t number) const { return account_.contains(number); }
    /// Adds an event, or changes its time.
    void set(std::uint64_t number, Time time) {
        set_unordered(number, time);
        const std::size_t place = account_.place(number);
        rise(place, std::move(heap_[place]));
        sink(account_.place(number));
    }
    /// The same without restoring the heap order: restore() must be called before any other function.
    void set_unordered(std::uint64_t number, Time time) {
        if (contains(number)) {
            heap_[account_.place(number)].time = time;
            return;
        }
        account_.put(number, heap_.size());
        heap_.push_back({time, number, {}});
    }
    void restore() {
        for (std::size_t place = heap_.size() / 2; place-- > 0;) sink(place);
    }
    /// \pre contains(number)
    void erase(std::uint64_t number) {
        DSE_EXPECT(contains(number));
        remove(account_.place(number));
    }

  private:
    [[nodiscard]] static bool is_before(const Entry& a, const Entry& b) {
        return a.time != b.time ? a.time < b.time : a.number < b.number;
    }
    void put(std::size_t place, Entry&& entry) {
        account_.put(entry.number, place);
        heap_[place] = std::move(entry);
    }
    void rise(std::size_t place, Entry entry) {
        while (place > 0 && is_before(entry, heap_[(place - 1) / 2])) {
            put(place, std::move(heap_[(place - 1) / 2]));
            place = (place - 1) / 2;
        }
        put(place, std::move(entry));
    }
    void sink(std::size_t place) {
        Entry entry = std::move(heap_[place]);
        for (;;) {
            const std::size_t child = earlier_child(place);
            if (child >= heap_.size() || !is_before(heap_[child], entry)) break;
            put(place, std::move(heap_[child]));
            place = child;
        }
        put(place, std::move(entry));
    }
    /// Moves the gap down to a leaf and the last event up from there, since it usually belongs near a leaf.
    void remove(std::size_t place) {
        account_.forget(heap_[place].number);
        Entry last = std::move(heap_.back());
        heap_.pop_back();
        if (place == heap_.size()) return;
        for (std::size_t child = earlier_child(place); child < heap_.size(); child = earlier_child(place)) {
            put(place, std::move(heap_[child]));
            place = child;
        }
        rise(place, std::move(last));
    }
    [[nodiscard]] std::size_t earlier_child(std::size_t place) const {
        const std::size_t child = 2 * place + 1;
        return child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child]) ? child + 1 : child;
    }

    std::vector<Entry> heap_;
    std::uint64_t pushed_{0};
    [[no_unique_address]] Account account_;
};

}  // namespace dse::netsim
