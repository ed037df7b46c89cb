#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/netsim/astra/chunk_queues.hpp"
#include "dse/netsim/astra/plan.hpp"

namespace dse::netsim {

/// A group that has as many members, equally far apart, along a dimension wherever it meets it.
struct AstraGroup {
    std::int64_t members{2};
    std::size_t innermost{0};  ///< dimension in which it has several members
    std::int64_t along{2};     ///< so many
    std::int64_t stride{1};    ///< positions between them
};

/// Ticks of one collective on ASTRA-sim's congestion-unaware network, by closed forms where members move in
/// step or form a ring, else message by message. Keeps its memory between calls.
class AstraCollectiveTicks {
  public:
    /// Of all devices. \param bytes  the full buffer; of an all-gather, what one device brings
    /// \throws ModelError where ASTRA-sim would fail (see plan_all)
    Ticks all(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes);

    /// The same where a closed form has it; nothing where all messages have to be played.
    std::optional<Ticks> closed(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes);

    /// Of a plan that is made already: when all members begin together, they end together, after so long.
    std::optional<Ticks> closed(const AstraSystem& system, const AstraPlan& plan);

    /// Of some devices, in the order in which the group lists them.
    /// \param members  ranks, more than one and fewer than all
    Ticks group(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                std::span<const std::int64_t> members);

    /// The same for a group without gaps or steps in its pattern, from that pattern alone.
    /// \returns nothing where only its members can tell: where messages of `direct` or halving and doubling
    /// run over rings
    std::optional<Ticks> group(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                               const AstraGroup& group);

    /// Every member of such a group sends to the next at once, as a message of its own.
    static Ticks shift(const AstraSystem& system, std::int64_t bytes, const AstraGroup& group);

  private:
    Ticks ring_of_group(const AstraSystem& system, const AstraPlan& plan);

    AstraChunkQueues queues_;
    std::array<Ticks, 2 * AstraSystem::most_dimensions> phase_ticks_{};
    std::vector<Ticks> link_ticks_;  ///< of a group's ring, or of one period where they repeat
};

}  // namespace dse::netsim
