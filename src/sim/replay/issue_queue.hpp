#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dse/sim/replay/dependency_table.hpp"

namespace dse::sim::replay {

/// Something that runs one node of a rank at a time: a stream, a processor, …
using Lane = std::uint32_t;

/// The nodes of one rank, from waiting to done. Each lane runs one node at a time; lane 0 runs any number. In
/// a pass, the ready nodes whose lanes are free start in ascending order of ids; nodes that become ready
/// during a pass wait for the next one.
class IssueQueue {
  public:
    static constexpr Lane free_lane = 0;

    /// \param table  must outlive this object
    /// \param lanes  number of lanes, including free_lane
    IssueQueue(const DependencyTable& table, std::size_t lanes);

    /// Moves the nodes that have become ready to where `next` finds them. \param lane_of  lane of a node
    template <class LaneOf>
    void begin_pass(LaneOf&& lane_of) {
        for (const std::uint32_t node : fresh_) add(node, lane_of(node));
        fresh_.clear();
    }
    /// The next node of this pass to start, which then occupies its lane; nothing if none can start.
    std::optional<std::uint32_t> next();
    /// Called when a node has ended; frees its lane.
    void end(std::uint32_t node, Lane lane);

    /// Whether nodes have become ready since the last pass began.
    [[nodiscard]] bool has_fresh() const { return !fresh_.empty(); }
    [[nodiscard]] std::size_t left() const { return left_; }        ///< nodes that have not ended
    [[nodiscard]] std::size_t at_work() const { return at_work_; }  ///< nodes that have started and not ended
    [[nodiscard]] std::uint32_t waits(std::uint32_t node) const { return waits_[node]; }

  private:
    void add(std::uint32_t node, Lane lane);

    const DependencyTable* table_;
    std::vector<std::uint32_t> waits_;               ///< by node
    std::vector<std::uint32_t> fresh_;               ///< nodes that became ready
    std::vector<std::vector<std::uint32_t>> ready_;  ///< by lane: min-heap of places in order of ids
    std::vector<bool> busy_;                         ///< by lane
    std::size_t left_{0};
    std::size_t at_work_{0};
};

}  // namespace dse::sim::replay
