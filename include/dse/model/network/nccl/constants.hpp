#pragma once

#include <cstdint>
#include <string_view>

#include "dse/hardware/network/nccl_spec.hpp"

namespace dse::model {

/// How NCCL runs a collective.
enum class NcclAlgorithm : std::uint8_t {
    tree,            ///< two binary trees over the domains, a chain inside each
    ring,            ///< a ring through all devices
    collnet_direct,  ///< switches of the fabric reduce; all devices of a domain feed all its NICs
    collnet_chain,   ///< switches of the fabric reduce; a chain inside each domain
    nvls,            ///< switches of the domain reduce and multicast
    nvls_tree,       ///< the same inside domains, trees between them
    pat,             ///< parallel aggregated trees: logarithmic all-gather and reduce-scatter
};
inline constexpr std::size_t nccl_algorithm_count = 7;

/// What NCCL sends: words with a flag each, 120 bytes with a flag of 8, or plain bytes and a fence.
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };
inline constexpr std::size_t nccl_protocol_count = 3;

/// As NCCL_ALGO and NCCL_PROTO take them.
std::string_view name(NcclAlgorithm algorithm);
std::string_view name(NcclProtocol protocol);

/// The constants of NCCL's tuning model: microseconds and GB/s, as it has them.
/// Source: NCCL 2.30.7, src/graph/tuning.cc and src/graph/topo.h.
namespace nccl_constants {

/// Of a collective before any message. [us]
double base_latency(NcclAlgorithm algorithm, NcclProtocol protocol);
/// Of a step over NVLink, and of one between domains. [us]
double nvlink_latency(NcclAlgorithm algorithm, NcclProtocol protocol);
double net_latency(NcclAlgorithm algorithm, NcclProtocol protocol);

/// What a processor of the device sustains, by how many domains a group touches. [GB/s]
struct Ceilings {
    double ll;          ///< protocol LL, all channels
    double ring_ll128;  ///< a channel
    double tree_ll128;
    double tree;
    double nvls_tree;
};
/// \param generation  not automatic
Ceilings ceilings(hardware::GpuGeneration generation, hardware::HostProcessor processor,
                  std::int64_t domains);

/// What reductions in the switches of a domain attain of their links.
double switch_efficiency(hardware::GpuGeneration generation);

/// NVLink as NCCL counts it, over its line rate.
double nvlink_share(hardware::GpuGeneration generation);

/// Bandwidth of a tree at a size over the one at large sizes, up to 256 MiB; of one of switches up to 1 GiB.
/// \param bytes  >= 0
double tree_correction(NcclAlgorithm algorithm, NcclProtocol protocol, double bytes);

}  // namespace nccl_constants
}  // namespace dse::model
