#pragma once

#include <map>
#include <utility>
#include <vector>

#include "dse/graph/mesh.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_play.hpp"
#include "dse/netsim/flow/traffic.hpp"
#include "netsim/flow/job_places.hpp"

namespace dse::netsim {

/// FlowModel's links and collectives, shared by everything in flight. Other jobs run the same traffic as this
/// one; an operation has ended when it has ended on all jobs.
class FlowPlay final : public model::NetworkPlay {
  public:
    /// \throws ModelError as flow::build_fabric does
    FlowPlay(const hardware::NetworkSpec& network, const graph::Mesh& mesh);

    Number begin(const graph::Collective& collective, std::span<const std::int64_t> members,
                 double share) override;
    Number begin(Bytes size, std::int64_t from, std::int64_t to, double share) override;
    [[nodiscard]] double now() const override { return traffic_.now(); }
    [[nodiscard]] double next_time() override { return traffic_.next_time(); }
    std::span<const Number> advance(double time) override;

  private:
    Number start(const flow::CollectivePlan& plan, Bytes size, Seconds launch, double share,
                 std::span<const std::int64_t> members);
    const flow::CollectivePlan& plan_of(const graph::Collective& collective);

    hardware::NetworkSpec network_;
    graph::Mesh mesh_;
    flow::JobPlaces places_;
    flow::Fabric fabric_;
    flow::Traffic traffic_;
    std::map<std::pair<graph::CollectiveKind, std::uint8_t>, flow::CollectivePlan> plans_;
    flow::CollectivePlan message_;
    flow::CollectivePlan swap_;           ///< exchange between two ranks
    std::vector<Number> number_of_;       ///< by run
    std::vector<std::int64_t> going_on_;  ///< by number: runs in flight, one per job
    std::vector<Number> free_;
    std::vector<Number> ended_;
};

}  // namespace dse::netsim
