#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/netsim/astra/chunk_queues.hpp"
#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// A group with the same number of equally spaced members along a dimension wherever it intersects that
/// dimension.
struct AstraGroup {
    std::int64_t members{2};
    std::size_t innermost{0};  ///< dimension in which it has several members
    std::int64_t along{2};     ///< number of members along it
    std::int64_t stride{1};    ///< distance between them
};

/// Ticks of one collective on ASTRA-sim's congestion-unaware network: in closed form if members proceed in
/// lockstep or form a ring, else message by message. Memory is reused between calls.
class AstraCollectiveTicks {
  public:
    /// For all devices.
    /// \param bytes  the full buffer; for an all-gather, the contribution of one device
    /// \throws ModelError if ASTRA-sim would fail (see plan_all)
    Ticks all(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes);

    /// The same in closed form; nothing if all messages have to be simulated.
    std::optional<Ticks> closed(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes);

    /// The same for an existing plan: the time after which all members end, if they start together.
    std::optional<Ticks> closed(const AstraSystem& system, const AstraPlan& plan);

    /// Whether `closed` gives this time for any order of the events of a tick. Else members may queue chunks
    /// in different orders, and direct all-reduces over a ring may send results one event later.
    bool is_closed_in_any_order(const AstraSystem& system, const AstraPlan& plan);

    /// For some devices, in the order of the group.
    /// \param members  ranks, more than one and fewer than all
    Ticks group(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                std::span<const std::int64_t> members);

    /// The same for a group with a regular pattern, from that pattern.
    /// \returns nothing if the members are needed: for messages of `direct` or halving and doubling over
    /// rings
    std::optional<Ticks> group(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                               const AstraGroup& group);

    /// Ticks of a ring shift in such a group: every member sends one message to the next at the same time.
    static Ticks shift(const AstraSystem& system, std::int64_t bytes, const AstraGroup& group);

  private:
    Ticks ring_of_group(const AstraSystem& system, const AstraPlan& plan);

    AstraChunkQueues queues_;
    std::array<Ticks, 2 * AstraSystem::most_dimensions> phase_ticks_{};
    std::vector<Ticks> link_ticks_;  ///< of a group's ring, or of one period if they repeat
};

}  // namespace dse::netsim
