#pragma once

#include "dse/hardware/network/domain_links.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/blend.hpp"
#include "dse/model/network/nccl/tuner.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/model/network/placement.hpp"

namespace dse::model {

/// NCCL on NVLink domains, and on the fabric between them.
///
/// NCCL's own tuning model determines the algorithm and protocol for each size: those that it expects to be
/// fastest. The predicted time is that estimate plus the terms of NcclSpec: a fixed overhead, the copy of a
/// device's own part, a smoother transition from latency to bandwidth. Two limits of the tuning model that do
/// not correspond to links are replaced: inside one domain, switches are not limited by the speed of NICs; if
/// the fabric is oversubscribed or groups share NICs, the remaining bandwidth is used. All-to-all, shifts and
/// transfers consist of messages, for which NCCL has no model: they take the library's time of a message
/// (CollectiveSpec::message_launch) and a step of a ring, with all links in parallel; with PXN, a message to
/// another rail is first sent to the device on that rail. Validity: one collective at a time per device;
/// groups spread evenly over non-blocking domains. NCCL searches channels at a few speeds only and may choose
/// badly, so that in rare cases more bandwidth is slower. Source: NCCL 2.30.7, src/graph/tuning.cc,
/// src/graph/search.cc, src/enqueue.cc.
class Nccl final : public NetworkModel {
  public:
    explicit Nccl(const hardware::NetworkSpec& network);

    [[nodiscard]] Seconds time(const Communication& what) const override;
    [[nodiscard]] std::vector<Alternative> alternatives(const Communication& what) const override;
    using NetworkModel::collective;

    /// The same for a group of known placement.
    [[nodiscard]] Seconds collective(graph::CollectiveKind kind, Bytes size, const Placement& group) const;

  private:
    /// Rate of a device to the other members of its group in its domain, in NCCL's terms [GB/s].
    [[nodiscard]] double nvlink_rate(std::int64_t members) const { return nvlink_ * links_.share(members); }
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
    hardware::DomainLinks links_;
    double nvlink_;  ///< of a device, in NCCL's terms [GB/s]
    double nics_a_device_;
    double nic_;  ///< of one NIC [GB/s]
    Blend on_links_;
    Blend in_switches_;
};

}  // namespace dse::model
