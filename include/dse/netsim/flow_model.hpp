#pragma once

#include <memory>
#include <vector>

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"
#include "dse/netsim/flow/traffic.hpp"

namespace dse::netsim {

/// Every link of the machine, shared max–min fairly by the messages on it (flow::FluidNetwork).
///
/// A collective's groups run at once, those of all jobs (TopologySpec::jobs), by the algorithm of each level
/// (flow::plan_collective), in as many chunks as the network's library has; its time is that of the last
/// group, after the launch. Where no two messages share a link this is latency and bandwidth. Validity:
/// congestion control that shares fairly, no losses, no queues beside the latencies. It keeps the machine
/// that it wired last, and serves one thread.
class FlowModel final : public model::NetworkModel {
  public:
    explicit FlowModel(const hardware::NetworkSpec& network);
    ~FlowModel() override;

    [[nodiscard]] Seconds time(const model::Communication& what) const override;
    [[nodiscard]] std::unique_ptr<model::NetworkPlay> play(const graph::Mesh& mesh) const override;

  private:
    struct Machine;
    class Attempt;
    Machine& machine(std::int64_t devices) const;
    [[nodiscard]] Seconds over(graph::CollectiveKind kind, Bytes size, const model::AxisGroups& groups) const;
    [[nodiscard]] Seconds listed(graph::CollectiveKind kind, Bytes size, const model::RankList& list) const;
    [[nodiscard]] Seconds message(Bytes size, const model::StagePairs& pairs) const;
    [[nodiscard]] Seconds launch_of(graph::CollectiveKind kind) const;

    hardware::NetworkSpec network_;
    mutable std::unique_ptr<Machine> machine_;  ///< the one asked for last
};

/// The levels on which the groups over some axes work: dimensions, or domains and the fabric between them.
/// Groups that lie unevenly on these have but one level.
std::vector<flow::Level> levels_of(const hardware::NetworkSpec& network, const graph::Mesh& mesh,
                                   graph::AxisSet axes);

}  // namespace dse::netsim
