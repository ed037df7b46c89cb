#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dse::netsim::flow {

/// The next of many events whose times change: a binary heap of slots 0, 1, 2, … that knows where each one
/// is. Equal times come in the order of their slots. It allocates only where it becomes larger than ever.
class EventHeap {
  public:
    [[nodiscard]] bool empty() const { return heap_.empty(); }
    [[nodiscard]] std::size_t size() const { return heap_.size(); }
    [[nodiscard]] std::uint32_t top() const { return heap_.front().slot; }
    [[nodiscard]] double top_time() const { return heap_.front().time; }
    [[nodiscard]] bool contains(std::uint32_t slot) const {
        return slot < place_.size() && place_[slot] != nowhere;
    }

    /// Adds a slot, or gives it another time.
    void set(std::uint32_t slot, double time);
    /// The same without keeping order: restore() must follow, before anything else is asked.
    void set_unordered(std::uint32_t slot, double time);
    void restore();
    /// \pre contains(slot)
    void erase(std::uint32_t slot);

  private:
    static constexpr std::uint32_t nowhere = 0xffffffff;
    struct Entry {
        double time;
        std::uint32_t slot;
        friend bool operator<(const Entry& a, const Entry& b) {
            return a.time != b.time ? a.time < b.time : a.slot < b.slot;
        }
    };
    void put(std::size_t place, const Entry& entry);
    void rise(std::size_t place);
    void sink(std::size_t place);

    std::vector<Entry> heap_;
    std::vector<std::uint32_t> place_;  ///< by slot
};

}  // namespace dse::netsim::flow
