#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/durations.hpp"
#include "dse/sim/fold/arrival.hpp"
#include "dse/sim/parts.hpp"
#include "dse/workload/graph.hpp"

namespace dse::sim::fold {

/// Is told of every node that is played.
class NodeObserver {
  public:
    virtual ~NodeObserver() = default;
    virtual void on_node(const workload::Item& node, workload::RegionId region, double start, double end,
                         double hold_end) = 0;
};

/// Plays every node of a region in issue order, with who waited for whom (DESIGN 3.3, list play).
class RegionPlayer {
  public:
    /// graph and durations must outlive the player.
    void reset(const workload::Graph& graph, const Durations& durations);

    /// \param streams  arrival of each stream, moved on
    /// \param ports    as many as the region has
    /// \param outputs  as many as the region has outputs, apart from `ports`
    /// \param parts    what the compute stream does is charged here
    /// \param observer  may be null
    void play(workload::RegionId region, std::uint32_t program, std::span<Arrival> streams,
              std::span<const Arrival> ports, std::span<Arrival> outputs, Parts& parts,
              NodeObserver* observer);

    [[nodiscard]] std::uint64_t node_visits() const { return node_visits_; }

  private:
    struct Frame {
        std::vector<std::size_t> first_value_of;  // by item
        std::vector<Arrival> values;
        std::vector<Arrival> ports;
        std::vector<Arrival> outputs;
    };

    void play_node(const workload::Item& item, workload::RegionId region, std::span<Arrival> streams,
                   std::span<const Arrival> ports, Frame& frame, Parts& parts, NodeObserver* observer);
    void play_repeat(const workload::Item& item, std::uint32_t program, std::span<Arrival> streams,
                     std::span<const Arrival> ports, Frame& frame, Parts& parts, NodeObserver* observer);
    static const Arrival& value_of(workload::ValueRef value, std::span<const Arrival> ports,
                                   const Frame& frame);

    const workload::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    std::vector<Frame> frames_;  // by depth of nesting
    std::size_t depth_{0};
    std::uint64_t node_visits_{0};
};

}  // namespace dse::sim::fold
