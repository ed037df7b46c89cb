#pragma once

#include <cstdint>

#include "dse/hardware/network/network_spec.hpp"
#include "dse/netsim/flow/link_graph.hpp"

namespace dse::netsim::flow {

/// The links of a machine: device d of the job is node d.
struct Fabric {
    LinkGraph graph;
    std::int64_t devices{0};
};

/// What `topology` means where it leaves that to the rest of the network. Never automatic.
hardware::TopologyKind topology_kind(const hardware::NetworkSpec& network);

/// Wires a machine for a job, which takes its devices from 0 on; switches are as many as those need. Devices
/// are called by their numbers, the switch of a domain nvs0, nvs1, …, others leaf0, spine0, pod0.spine0,
/// core0, router0, as hardware::TopologyKind has them. Degraded links are taken as they are, links that are
/// down left out.
/// \throws ModelError where the topology is too small for the job, or does not have a link that is degraded
/// (with the nearest name)
Fabric build_fabric(const hardware::NetworkSpec& network, std::int64_t devices);

}  // namespace dse::netsim::flow
