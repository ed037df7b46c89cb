#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "dse/graph/work.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/netsim/flow/traffic.hpp"

namespace dse::netsim {

/// FlowModel's links and collectives, shared by all that is in flight between the devices of a machine,
/// whichever job it belongs to.
class SharedLinks {
  public:
    using Number = flow::RunId;

    /// \param devices  of the machine that are in use
    /// \throws ModelError as flow::build_fabric does
    SharedLinks(const hardware::NetworkSpec& network, std::int64_t devices);
    // What is in flight refers to the fabric and to the plans.
    SharedLinks(const SharedLinks&) = delete;
    SharedLinks& operator=(const SharedLinks&) = delete;

    /// Starts a collective of a group now.
    /// \param size  > 0, as in graph::Collective
    /// \param members  devices, distinct, in any order; at least two
    /// \return its number, until it ends
    /// \throws ModelError as flow::plan_collective does
    Number begin(graph::CollectiveKind kind, Bytes size, std::span<const std::int64_t> members);
    /// Starts a message now. \param size  > 0
    Number begin(Bytes size, std::int64_t from, std::int64_t to);

    [[nodiscard]] double now() const { return traffic_.now(); }
    /// Time of the next event, if nothing else is started; infinity if nothing is in flight.
    [[nodiscard]] double next_time() { return traffic_.next_time(); }
    /// Advances time.
    /// \param time  between now() and next_time(), an integer multiple of the quantum
    /// \return what ends at this time; valid until the next call
    std::span<const Number> advance(double time) { return traffic_.advance(time); }

  private:
    using Group = std::vector<std::int64_t>;  ///< devices, ascending

    const flow::CollectivePlan& plan_of(graph::CollectiveKind kind, const Group& members);

    hardware::NetworkSpec network_;
    std::int64_t devices_;
    flow::Fabric fabric_;
    flow::Traffic traffic_;
    std::map<std::pair<graph::CollectiveKind, Group>, flow::CollectivePlan> plans_;
    flow::CollectivePlan message_;
};

}  // namespace dse::netsim
