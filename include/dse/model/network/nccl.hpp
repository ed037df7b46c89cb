#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/blend.hpp"
#include "dse/model/network/nccl/tuner.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/placement.hpp"

namespace dse::model {

/// NCCL on NVLink domains with a switch, and the fabric between them.
///
/// NCCL's own tuning model says which algorithm and protocol it takes at a size: the one that it expects to
/// be soonest. The time is that expectation, and what NcclSpec adds to it: a fixed overhead, the copy of a
/// device's own part, a softer change from latency to bandwidth. Two limits of the tuning model that no link
/// has, it does not inherit: inside one domain it lets no NIC's speed limit the switches, and where the
/// fabric is oversubscribed or groups share NICs, it takes what is left. All-to-all, shifts and transfers
/// are messages, for which NCCL has no model: the library's time of a message
/// (CollectiveSpec::message_launch) and a step of a ring, all links at once; with PXN, a message for another
/// rail first goes to the device on that rail. Validity: one collective at a time per device; groups evenly
/// on non-blocking domains. NCCL searches channels at a few speeds and may choose badly: rarely, more
/// bandwidth is slower.
/// Source: NCCL 2.30.7, src/graph/tuning.cc, src/graph/search.cc, src/enqueue.cc.
class Nccl final : public NetworkModel {
  public:
    explicit Nccl(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    [[nodiscard]] std::vector<Alternative> alternatives(const Communication& what) const override;
    using NetworkModel::collective;

    /// The same for a group of known placement.
    [[nodiscard]] Seconds collective(graph::CollectiveKind kind, Bytes size, const Placement& group) const;

  private:
    [[nodiscard]] Placement placement_of(const AxisGroups& groups) const;
    [[nodiscard]] NcclGroup group_of(const Placement& placement) const;
    [[nodiscard]] double played_time(const NcclTuner& tuner, const NcclCandidate& candidate,
                                     graph::CollectiveKind kind, double bytes, const Placement& group) const;
    [[nodiscard]] double contention(const Placement& group) const;
    [[nodiscard]] Seconds all_to_all(Bytes size, const Placement& group) const;
    [[nodiscard]] Seconds message(Bytes size, bool crosses) const;
    [[nodiscard]] Seconds message_latency(Bytes size, bool crosses) const;

    hardware::NetworkSpec network_;
    hardware::GpuGeneration generation_;
    double nvlink_;  ///< of a device, as NCCL counts it [GB/s]
    double nics_a_device_;
    double nic_;  ///< of one NIC [GB/s]
    Blend links_;
    Blend switches_;
};

}  // namespace dse::model
