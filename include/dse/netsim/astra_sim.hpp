#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/netsim/astra/collective_ticks.hpp"
#include "dse/netsim/astra/played_ticks.hpp"
#include "dse/netsim/schedule/schedule_player.hpp"

namespace dse::netsim {

/// ASTRA-sim's congestion-unaware analytical network, reproduced tick for tick with its peculiarities (listed
/// in docs/networks.md): a GB has 2^30 bytes, times are truncated to whole nanoseconds, last chunks cost as
/// much as full ones, chunks and messages never share a link, groups are a single ring regardless of
/// dimensions. Bandwidths are the sustained ones. Dimensions without an algorithm use ring on rings, direct
/// on full connections, and halving and doubling on switches (ring if the number of devices is not a power of
/// two). One object per thread, since it reuses memory.
class AstraSim final : public model::NetworkModel, public SchedulePlayer {
  public:
    explicit AstraSim(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const model::Communication& what) const override;
    /// Simulated as in ASTRA-sim.
    [[nodiscard]] Seconds scheduled(const Schedule& schedule, double scale, graph::CollectiveKind kind,
                                    const model::RankList& group) const override;

    /// The content of ASTRA-sim's input files for a job on this number of devices.
    /// \throws ModelError for dimensions of kind mesh, or if the devices do not fill the dimensions evenly
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
