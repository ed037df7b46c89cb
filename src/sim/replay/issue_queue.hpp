#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/sim/replay/dependency_table.hpp"

namespace dse::sim::replay {

/// What has one node of a rank at work at a time: a stream, a processor, …
using Lane = std::uint32_t;

/// The nodes of one rank on their way from waiting to done. Each lane has one node at work; lane 0 has any
/// number. In a pass, the ready nodes whose lanes are free start by ascending id; nodes that become ready
/// during a pass wait for the next one.
class IssueQueue {
  public:
    static constexpr Lane free_lane = 0;

    /// \param table  outlives it \param lanes  how many there are, the free one included
    IssueQueue(const DependencyTable& table, std::size_t lanes);

    /// Puts the nodes that became ready where `next` finds them. \param lane_of  of a node
    template <class LaneOf>
    void begin_pass(LaneOf&& lane_of) {
        for (const std::uint32_t node : fresh_) add(node, lane_of(node));
        fresh_.clear();
    }
    /// The next node of this pass to start, which then occupies its lane; nothing where none can.
    std::optional<std::uint32_t> next();
    /// A node has ended and leaves its lane.
    void end(std::uint32_t node, Lane lane);

    [[nodiscard]] std::size_t left() const { return left_; }        ///< nodes that have not ended
    [[nodiscard]] std::size_t at_work() const { return at_work_; }  ///< nodes that have begun and not ended
    [[nodiscard]] bool is_ready(std::uint32_t node) const;          ///< but has not begun
    [[nodiscard]] std::uint32_t waits(std::uint32_t node) const { return waits_[node]; }

  private:
    void add(std::uint32_t node, Lane lane);

    const DependencyTable* table_;
    std::vector<std::uint32_t> waits_;               ///< by node
    std::vector<std::uint32_t> fresh_;               ///< nodes that became ready
    std::vector<std::vector<std::uint32_t>> ready_;  ///< by lane: places, heaps, smallest first
    std::vector<bool> busy_;                         ///< by lane
    std::size_t left_{0};
    std::size_t at_work_{0};
};

}  // namespace dse::sim::replay
