#pragma once

#include <optional>

#include "dse/hardware/network/domain_links.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/nccl.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/placement.hpp"

namespace dse::model {

struct Staircase;

/// Collectives of up to eight devices inside a scale-up domain by a fit to measurements, the rest by Nccl.
///
/// A library has one implementation for short messages and one for long ones, and uses the faster one:
///
///     t = (short^-4 + long^-4)^(-1/4)
///     way = latency + step · (n - 1) + wire bytes / (share · link rate)
///
/// where the share for long messages grows with the group, and wire bytes are 2 (n - 1)/n of the vector for
/// an all-reduce, (n - 1)/n otherwise. Constants depend on the generation of the devices and were fitted to
/// replays of CUDA graphs with NCCL 2.27 to 2.29 on A100, H100, H200, B200 and GB200 with 2, 4 and 8 devices
/// and vectors of up to 512 MiB. The bytes beyond take as long as in Nccl, whose bandwidths are those of the
/// largest messages; host overhead is `nccl.call_time`. For other generations, latencies follow
/// `nccl.short_all_gather`. Links below 225 GB/s are PCIe or a bridge and are left to Nccl.
class Calibrated final : public NetworkModel {
  public:
    explicit Calibrated(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    using NetworkModel::collective;

  private:
    /// \returns nothing where Nccl is asked
    [[nodiscard]] std::optional<Staircase> staircase_of(graph::CollectiveKind kind) const;
    [[nodiscard]] Seconds on_axes(graph::CollectiveKind kind, Bytes size, const AxisGroups& groups) const;

    hardware::NetworkSpec network_;
    hardware::GpuGeneration generation_;
    hardware::DomainLinks links_;
    Nccl nccl_;
};

}  // namespace dse::model
