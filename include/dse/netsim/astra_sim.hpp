#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/netsim/astra/collective_ticks.hpp"
#include "dse/netsim/astra/played_ticks.hpp"
#include "dse/netsim/schedule/schedule_player.hpp"

namespace dse::netsim {

/// What ASTRA-sim's congestion-unaware analytical network answers, tick for tick, with all that is odd about
/// it (docs/networks.md lists it): a GB of 2^30 bytes, times cut to whole nanoseconds, last chunks that cost
/// as much as full ones, chunks and messages that never share a link, groups that are one ring whatever the
/// dimensions. Bandwidths are the sustained ones. Of each dimension that names no algorithm, a ring runs
/// along rings, direct along full connections, halving and doubling along switches (a ring where their
/// devices are no power of two). One per thread: it keeps its memory.
class AstraSim final : public model::NetworkModel, public SchedulePlayer {
  public:
    explicit AstraSim(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const model::Communication& what) const override;
    /// As ASTRA-sim plays it.
    [[nodiscard]] Seconds scheduled(const Schedule& schedule, double scale, graph::CollectiveKind kind,
                                    const model::RankList& group) const override;

    /// What one would write into ASTRA-sim's files for a job of so many devices.
    /// \throws ModelError for a mesh, or where the devices do not fill the dimensions evenly
    [[nodiscard]] AstraSystem system(std::int64_t devices) const;

  private:
    [[nodiscard]] Ticks over(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                             const model::AxisGroups& groups) const;
    [[nodiscard]] Ticks shift(const AstraSystem& system, std::int64_t bytes,
                              const model::AxisGroups& groups) const;
    [[nodiscard]] Ticks listed(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                               std::span<const std::int64_t> ranks) const;
    [[nodiscard]] Ticks between(const AstraSystem& system, const model::Communication& what,
                                const model::StagePairs& pairs) const;

    hardware::NetworkSpec network_;
    mutable AstraCollectiveTicks ticks_;
    mutable AstraPlayedTicks played_;
};

}  // namespace dse::netsim
