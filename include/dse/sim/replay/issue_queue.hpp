#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "dse/sim/replay/dependency_table.hpp"

namespace dse::sim::replay {

/// What a node of a trace occupies while it runs.
enum class Slot : std::uint8_t { cpu, compute, communication, receive };
inline constexpr std::size_t slot_count = 4;

/// The nodes of one rank on their way from waiting to done. Each slot has one node at work; only receives
/// have any number. In a pass, the ready nodes whose slots are free start by ascending id; nodes that become
/// ready during a pass wait for the next one.
class IssueQueue {
  public:
    /// \param table  outlives it
    explicit IssueQueue(const DependencyTable& table);

    /// Puts the nodes that became ready where `next` finds them. \param slot_of  of a node
    template <class SlotOf>
    void begin_pass(SlotOf&& slot_of) {
        for (const std::uint32_t node : fresh_) add(node, slot_of(node));
        fresh_.clear();
    }
    /// The next node of this pass to start, which then occupies its slot; nothing where none can.
    std::optional<std::uint32_t> next();
    /// A node has ended and leaves its slot.
    void end(std::uint32_t node, Slot slot);

    [[nodiscard]] std::size_t left() const { return left_; }        ///< nodes that have not ended
    [[nodiscard]] std::size_t at_work() const { return at_work_; }  ///< nodes that have begun and not ended
    [[nodiscard]] bool is_ready(std::uint32_t node) const;          ///< but has not begun
    [[nodiscard]] std::uint32_t waits(std::uint32_t node) const { return waits_[node]; }

  private:
    void add(std::uint32_t node, Slot slot);

    const DependencyTable* table_;
    std::vector<std::uint32_t> waits_;                          ///< by node
    std::vector<std::uint32_t> fresh_;                          ///< nodes that became ready
    std::array<std::vector<std::uint32_t>, slot_count> ready_;  ///< places, heaps: smallest first
    std::array<bool, slot_count> busy_{};
    std::size_t left_{0};
    std::size_t at_work_{0};
};

}  // namespace dse::sim::replay
