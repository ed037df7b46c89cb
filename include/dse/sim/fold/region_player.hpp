#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/arrival.hpp"
#include "dse/sim/fold/entry_use.hpp"
#include "dse/sim/fold/region_memo.hpp"
#include "dse/sim/parts.hpp"

namespace dse::sim::fold {

/// Notified of every node that is simulated.
class NodeObserver {
  public:
    virtual ~NodeObserver() = default;
    virtual void on_node(const graph::Item& node, graph::RegionId region, double start, double end,
                         double hold_end) = 0;
    /// Called after on_node() if kernels lose time beside the node: from when the compute stream would have
    /// been free to when it is.
    virtual void on_loss(const graph::Item& node, graph::RegionId region, double start, double end) = 0;
};

/// Simulates regions in issue order, records what waited for what (docs/theory/folding.md) and charges the
/// time of the compute stream. A region that is entered twice in the same state, up to a shift in time, is
/// simulated once; once the iterations of a repeat form a cycle, the remaining cycles are skipped.
class RegionPlayer {
  public:
    /// The arguments must outlive the player's use. With an observer, every node is played.
    /// \param waits  of the compute stream, noted where it is not null
    void reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table,
               NodeObserver* observer, Waits* waits = nullptr);

    /// \param streams  arrival of each stream, updated
    /// \param ports    one per port of the region
    /// \param outputs  one per output of the region; must not overlap with `ports`
    /// \param parts    charged
    /// \return number of the region's behaviour: calls that return the same number did the same, up to a
    ///         shift in time (RegionMemo::none with an observer)
    std::uint64_t play(graph::RegionId region, std::uint32_t program, std::span<Arrival> streams,
                       std::span<const Arrival> ports, std::span<Arrival> outputs, Parts& parts);

    /// Only notes waits (reset()) until the compute stream is free at a time or later, and leaves out the
    /// rest. The arguments are as in play().
    void note_waits_until(double time, graph::RegionId region, std::uint32_t program,
                          std::span<Arrival> streams, std::span<const Arrival> ports);

    [[nodiscard]] std::uint64_t node_visits() const { return node_visits_; }

  private:
    /// Properties of a node that follow from its work.
    struct Facts {
        NodeTime time;
        Cause cause;
        std::uint8_t op_class{no_kernel};  ///< class of a kernel, else no_kernel
    };
    static constexpr std::uint8_t no_kernel = 255;

    /// One iteration of a repeat, at its end.
    struct Step {
        std::uint64_t behaviour{0};
        double compute_free{0};
        Parts parts;
    };
    /// Working memory of one region while it runs.
    struct Frame {
        std::vector<std::size_t> first_value_of;  // by item
        std::vector<Arrival> values;
        std::vector<Arrival> key;
        std::vector<Arrival> exit;
        // For the current repeat:
        std::vector<Arrival> ports;
        std::vector<Arrival> outputs;
        std::vector<Step> steps;
    };

    void play_items(graph::RegionId region, std::uint32_t program, std::span<Arrival> streams,
                    std::span<const Arrival> ports, std::span<Arrival> outputs, Parts& parts);
    void play_node(const graph::Item& item, graph::RegionId region, std::span<Arrival> streams,
                   std::span<const Arrival> ports, Frame& frame, Parts& parts);
    void play_repeat(const graph::Item& item, std::uint32_t program, std::span<Arrival> streams,
                     std::span<const Arrival> ports, Frame& frame, Parts& parts);
    std::int64_t skip_cycles(const graph::Item& item, std::uint32_t program, std::int64_t left,
                             std::span<Arrival> streams, Frame& frame, Parts& parts);
    [[nodiscard]] bool is_over(std::span<const Arrival> streams) const {
        return streams[graph::compute_stream.index()].time >= stop_at_;
    }
    std::uint64_t remember(graph::RegionId region, std::uint32_t program, RegionMemo& memo, Frame& frame);
    void make_key(const EntryUse& use, std::span<const Arrival> streams, std::span<const Arrival> ports,
                  std::vector<Arrival>& key) const;
    RegionMemo& memo_of(graph::RegionId region, std::uint32_t program);

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    const RegionTable* table_{nullptr};
    NodeObserver* observer_{nullptr};
    Waits* waits_{nullptr};
    std::vector<Facts> facts_;  // by work
    EntryUses uses_;
    std::vector<RegionMemo> memos_;          // by slot
    std::vector<std::uint64_t> memo_since_;  // by slot: EntryUse::since of the memo; 0: none
    bool memos_have_waits_{false};
    static constexpr double never = std::numeric_limits<double>::infinity();
    double stop_at_{never};  // of note_waits_until()
    std::vector<Arrival> no_outputs_;
    Parts no_parts_;
    std::vector<Frame> frames_;  // by nesting depth
    std::size_t depth_{0};
    std::uint64_t node_visits_{0};
};

}  // namespace dse::sim::fold
