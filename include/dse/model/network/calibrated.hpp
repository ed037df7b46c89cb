#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/nccl.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/placement.hpp"

namespace dse::model {

/// Collectives of up to eight devices inside a scale-up domain as measured, the rest by Nccl.
///
/// A library has one way for short messages and one for long ones, and takes the sooner:
///
///     t = (short^-4 + long^-4)^(-1/4)
///     way = latency + step · (n - 1) + wire bytes / (share · link rate)
///
/// with a share of long messages that grows with the group, 2 (n - 1)/n of the vector on the wire for an
/// all-reduce, (n - 1)/n else. Constants are those of the generation of devices, fitted to replays of CUDA
/// graphs with NCCL 2.27 to 2.29 on A100, H100, H200, B200 and GB200 with 2, 4 and 8 devices: what a host
/// adds is not in them. Links of less than 225 GB/s are PCIe or a bridge, and Nccl's.
class Calibrated final : public NetworkModel {
  public:
    explicit Calibrated(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    using NetworkModel::collective;

  private:
    [[nodiscard]] Seconds on_axes(graph::CollectiveKind kind, Bytes size, const AxisGroups& groups) const;

    hardware::NetworkSpec network_;
    hardware::GpuGeneration generation_;
    Nccl nccl_;
};

}  // namespace dse::model
