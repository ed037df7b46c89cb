#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dse/graph/graph.hpp"
#include "dse/sim/durations.hpp"
#include "dse/sim/fold/region_table.hpp"

namespace dse::sim::fold {

/// The bit of stream or port i.
constexpr std::uint64_t bit(std::size_t i) {
    return std::uint64_t{1} << i;
}

/// What a region does with the state in which it is entered; bits are streams or ports. Times are against the
/// entry: when the compute stream is free there.
struct EntryUse {
    bool built{false};
    std::uint64_t used_streams{0};
    std::uint64_t used_ports{0};
    /// Where it makes a difference how long before the entry the stream was free or the value was there: some
    /// node may start before the entry. Elsewhere everything up to the entry is the same.
    std::uint64_t early_streams{0};
    std::uint64_t early_ports{0};
    /// By stream, of the first few: ports that its first node waits for, of the first few, as bits. When one
    /// of them comes after the stream is free, it makes no difference when that was.
    static constexpr std::size_t most_guarded = 8;
    std::array<std::uint8_t, most_guarded> guards{};
    /// What leaves the region no earlier than the entry.
    std::uint64_t late_streams{0};
    std::uint64_t late_outputs{0};
    /// The first node on the compute stream waits for these ports, in this order, and nothing else.
    bool begins_with_ports{false};
    std::uint8_t first_port_count{0};
    std::array<std::uint8_t, 4> first_ports{};
};

/// The entry uses of one graph's regions, each found once.
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
    std::vector<EntryUse> uses_;              // by slot
    std::vector<std::uint64_t> late_values_;  // by item of the region in hand: outputs that are late, as bits
};

}  // namespace dse::sim::fold
