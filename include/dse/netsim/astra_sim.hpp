#pragma once

#include "dse/hardware/network_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/netsim/astra/collective_ticks.hpp"
#include "dse/netsim/astra/played_ticks.hpp"

namespace dse::netsim {

/// What ASTRA-sim's congestion-unaware analytical network answers, tick for tick, with all that is odd about
/// it (docs/networks.md lists it): a GB of 2^30 bytes, times cut to whole nanoseconds, last chunks that cost
/// as much as full ones, chunks and messages that never share a link, groups that are one ring whatever the
/// dimensions. Bandwidths are the sustained ones. Of each dimension that names no algorithm, a ring runs
/// along rings, direct along full connections, halving and doubling along switches (a ring where their
/// devices are no power of two). One per thread: it keeps its memory.
class AstraSim final : public model::NetworkModel {
  public:
    explicit AstraSim(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds collective(const graph::Collective& collective,
                                     const graph::Mesh& mesh) const override;
    [[nodiscard]] Seconds transfer(Bytes size, const graph::Mesh& mesh, std::int64_t from,
                                   std::int64_t to) const override;
    /// As ASTRA-sim plays it, by the group of rank 0.
    [[nodiscard]] std::optional<Seconds> scheduled(const Schedule& schedule, double scale,
                                                   const graph::Collective& collective,
                                                   const graph::Mesh& mesh) const override;
    /// A collective of two.
    [[nodiscard]] Seconds exchange(const graph::Collective& collective,
                                   const graph::Mesh& mesh) const override;
    [[nodiscard]] Seconds tick() const override { return Seconds{1e-9}; }
    /// It replays kernels from traces, which have whole microseconds.
    [[nodiscard]] Seconds kernel_tick() const override { return Seconds{1e-6}; }
    [[nodiscard]] bool has_one_queue() const override { return true; }
    [[nodiscard]] bool knows_algorithms() const override { return true; }

    /// What one would write into ASTRA-sim's files for a job of so many devices.
    /// \throws ModelError for a mesh, or where the devices do not fill the dimensions evenly
    [[nodiscard]] AstraSystem system(std::int64_t devices) const;

  private:
    [[nodiscard]] Ticks shift(const AstraSystem& system, const graph::Collective& collective,
                              const graph::Mesh& mesh, std::int64_t bytes) const;

    hardware::NetworkSpec network_;
    mutable AstraCollectiveTicks ticks_;
    mutable AstraPlayedTicks played_;
};

}  // namespace dse::netsim
