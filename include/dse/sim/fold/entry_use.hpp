#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/region_table.hpp"
#include "dse/sim/fold/time_changes.hpp"

namespace dse::sim::fold {

/// The bit of stream or port i.
constexpr std::uint64_t bit(std::size_t i) {
    return std::uint64_t{1} << i;
}

/// How a region uses the state in which it is entered. Bits stand for streams or ports. Times are relative to
/// the entry, which is when the compute stream is free.
struct EntryUse {
    /// Evaluation since which no time in the region has changed; 0: not yet built. Numbers are never reused,
    /// so that what depends on the region's times alone can be kept with this number.
    std::uint64_t since{0};
    std::uint64_t checked{0};  ///< last evaluation in which this was found
    std::uint64_t used_streams{0};
    std::uint64_t used_ports{0};
    /// Streams and ports for which it matters how long before the entry they were free or ready, because some
    /// node may start before the entry. For all others, any time up to the entry is equivalent.
    std::uint64_t early_streams{0};
    std::uint64_t early_ports{0};
    /// For each of the first few streams: those of the first few ports that the stream's first node waits
    /// for, as bits. If one of them arrives after the stream is free, it does not matter when that was.
    static constexpr std::size_t most_guarded = 8;
    std::array<std::uint8_t, most_guarded> guards{};
    /// Streams and outputs that leave the region no earlier than the entry.
    std::uint64_t late_streams{0};
    std::uint64_t late_outputs{0};
    /// Whether the first node on the compute stream waits for nothing but the ports below, in this order.
    bool begins_with_ports{false};
    std::uint8_t first_port_count{0};
    std::array<std::uint8_t, 4> first_ports{};
};

/// The entry uses of the regions of one graph, each computed once and again when its times change.
class EntryUses {
  public:
    /// The arguments must outlive the evaluation.
    void reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table);
    const EntryUse& of(graph::RegionId region, std::uint32_t program);

  private:
    void build(const graph::Region& region, std::uint32_t program, EntryUse& use);

    const graph::Graph* graph_{nullptr};
    const Durations* durations_{nullptr};
    const RegionTable* table_{nullptr};
    TimeChanges changes_;
    std::vector<EntryUse> uses_;              // by slot
    std::vector<std::uint64_t> late_values_;  // by item of the current region: outputs that are late, as bits
};

}  // namespace dse::sim::fold
