#pragma once

#include "dse/hardware/network/network_spec.hpp"
#include "model/devices.hpp"

namespace dse::test {

/// Domains of 4 devices at 100 GB/s and 2 us; between them 10 GB/s and 8 us a device. Nothing else costs
/// anything.
inline hardware::NetworkSpec small_network(hardware::TopologyKind kind = hardware::TopologyKind::automatic) {
    hardware::NetworkSpec network = model::plain_network();
    network.scale_up.link.latency = Seconds{2e-6};
    network.scale_up.domain = 4;
    network.scale_out.link.latency = Seconds{8e-6};
    network.collective.chunks = 1;
    network.topology.kind = kind;
    return network;
}

/// The same without domains.
inline hardware::NetworkSpec flat_network(hardware::TopologyKind kind) {
    hardware::NetworkSpec network = small_network(kind);
    network.scale_up.domain = 1;
    return network;
}

/// Of links with 50 GB/s and 1 us.
inline hardware::DimensionSpec dimension(hardware::DimensionKind kind, std::int64_t size,
                                         hardware::Algorithm algorithm = hardware::Algorithm::automatic) {
    hardware::DimensionSpec dimension = model::plain_dimension(kind, size, 50.0, 1.0);
    dimension.algorithm = algorithm;
    return dimension;
}

}  // namespace dse::test
