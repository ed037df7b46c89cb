#pragma once

#include <cstdint>

#include "dse/hardware/network/nccl_spec.hpp"

namespace dse::model {

/// What NCCL's search for channels sees: the devices of a group in one domain, their switch, their NICs.
struct NcclNode {
    hardware::GpuGeneration generation{hardware::GpuGeneration::hopper};
    std::int64_t devices{1};
    double nvlink{0.0};    ///< of a device into the switch, per direction [GB/s]
    bool alone{true};      ///< the group has no devices elsewhere: NICs take no part
    std::int64_t nics{1};  ///< near the devices
    double nic{0.0};       ///< of one NIC, per direction [GB/s]
};

/// So many copies of a pattern, each at one of the speeds that NCCL tries.
struct NcclChannels {
    std::int64_t count{0};
    double intra{0.0};  ///< of a channel over NVLink [GB/s]
    double inter{0.0};  ///< of a channel into a NIC [GB/s]

    friend bool operator==(const NcclChannels&, const NcclChannels&) = default;
};

/// The channels that NCCL's search settles on, in closed form for devices on a non-blocking switch: a speed
/// fits so many channels as links and NICs carry. Speeds are tried from the fastest down, halving at most,
/// for the most bandwidth; few fast channels are split in two; then faster ones are tried.
/// Source: NCCL 2.30.7, src/graph/search.cc.
NcclChannels ring_channels(const NcclNode& node);

/// As many as of the ring. \param ring  what ring_channels() answers
NcclChannels tree_channels(const NcclNode& node, const NcclChannels& ring);

/// Of reductions in the domain's switches: a channel a device (or NIC), 32 at most. Needs Hopper or later.
NcclChannels switch_channels(const NcclNode& node);

/// Of reductions in the fabric's switches, where all devices of a domain feed all its NICs.
NcclChannels collnet_direct_channels(const NcclNode& node);

}  // namespace dse::model
