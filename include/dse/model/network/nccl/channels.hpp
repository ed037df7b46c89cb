#pragma once

#include <cstdint>

#include "dse/hardware/network/nccl_spec.hpp"

namespace dse::model {

/// Input of NCCL's search for channels: the devices of a group in one domain, their switch and their NICs.
struct NcclNode {
    hardware::GpuGeneration generation{hardware::GpuGeneration::hopper};
    std::int64_t devices{1};
    double nvlink{0.0};    ///< of a device into the switch, per direction [GB/s]
    bool alone{true};      ///< the group has no other devices, so NICs are not used
    std::int64_t nics{1};  ///< NICs near the devices
    double nic{0.0};       ///< of one NIC, per direction [GB/s]
};

/// Copies of a pattern, each at one of the speeds that NCCL tries.
struct NcclChannels {
    std::int64_t count{0};
    double intra{0.0};  ///< of a channel over NVLink [GB/s]
    double inter{0.0};  ///< of a channel into a NIC [GB/s]

    friend bool operator==(const NcclChannels&, const NcclChannels&) = default;
};

/// The channels selected by NCCL's search, in closed form for devices on a non-blocking switch: at each
/// speed, as many channels as links and NICs can carry. Speeds are tried from the fastest down to half of it,
/// for the largest bandwidth; few fast channels are split in two; then faster ones are tried. Source:
/// NCCL 2.30.7, src/graph/search.cc.
NcclChannels ring_channels(const NcclNode& node);

/// As many channels as for the ring. \param ring  result of ring_channels()
NcclChannels tree_channels(const NcclNode& node, const NcclChannels& ring);

/// Channels of reductions in the domain's switches: one per device (or NIC), at most 32. Needs Hopper or
/// later.
NcclChannels switch_channels(const NcclNode& node);

/// Channels of reductions in the fabric's switches, with all devices of a domain using all its NICs.
NcclChannels collnet_direct_channels(const NcclNode& node);

}  // namespace dse::model
