#pragma once

#include <cstdint>

#include "dse/hardware/network/network_spec.hpp"
#include "dse/netsim/flow/link_graph.hpp"

namespace dse::netsim::flow {

/// The links of a machine. Device d of the job is node d.
struct Fabric {
    LinkGraph graph;
    std::int64_t devices{0};
};

/// The kind of topology, with `automatic` resolved from the rest of the network.
hardware::TopologyKind topology_kind(const hardware::NetworkSpec& network);

/// Builds the links for a job that uses the devices from 0 on, with as many switches as these need. Devices
/// are named by their numbers, switches of domains nvs0, nvs1, …, others leaf0, spine0, pod0.spine0, core0,
/// router0, depending on hardware::TopologyKind. Degraded links have reduced bandwidth, and links that are
/// down are omitted. \throws ModelError if the topology is too small for the job, or lacks a link listed as
///         degraded (with the nearest name)
Fabric build_fabric(const hardware::NetworkSpec& network, std::int64_t devices);

}  // namespace dse::netsim::flow
