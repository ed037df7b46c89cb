#pragma once

#include <cstdint>
#include <memory>

#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::netsim {

/// Network model in which the messages on each link of the machine share it max–min fairly
/// (flow::FluidNetwork).
///
/// The groups of a collective, of all jobs (TopologySpec::jobs), run concurrently by the algorithm of each
/// level (flow::plan_collective), in the number of chunks set for the communication library. The time is that
/// of the last group, plus the launch. If no two messages share a link, this equals the latency–bandwidth
/// model. Validity: fair congestion control, no losses, no queueing beyond the latencies. It caches the last
/// machine and must be used by one thread.
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
    mutable std::unique_ptr<Machine> machine_;  ///< the machine used last
};

}  // namespace dse::netsim
