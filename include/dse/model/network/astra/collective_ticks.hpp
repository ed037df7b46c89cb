#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dse/model/network/astra/chunk_queues.hpp"
#include "dse/model/network/astra/plan.hpp"

namespace dse::model {

/// Ticks of one collective on ASTRA-sim's congestion-unaware network, by closed forms where members move in
/// step or form a ring, else message by message. Keeps its memory between calls.
class AstraCollectiveTicks {
  public:
    /// Of all devices. \param bytes  the full buffer; of an all-gather, what one device brings
    /// \throws ModelError where ASTRA-sim would fail (see plan_all)
    Ticks all(const AstraSystem& system, workload::CollectiveKind kind, std::int64_t bytes);

    /// Of some devices, in the order in which the group lists them.
    /// \param members  ranks, more than one and fewer than all
    Ticks group(const AstraSystem& system, workload::CollectiveKind kind, std::int64_t bytes,
                std::span<const std::int64_t> members);

  private:
    Ticks ring_of_group(const AstraSystem& system, const AstraPlan& plan,
                        std::span<const std::int64_t> members);

    AstraChunkQueues queues_;
    std::array<Ticks, 2 * AstraSystem::most_dimensions> phase_ticks_{};
    std::vector<Ticks> link_ticks_;
};

}  // namespace dse::model
