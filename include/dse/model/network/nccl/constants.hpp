#pragma once

#include <cstdint>
#include <string_view>

#include "dse/hardware/network/nccl_spec.hpp"

namespace dse::model {

/// NCCL's algorithms.
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

/// NCCL's protocols: a flag with each word, 120 bytes with a flag of 8, or plain bytes and a fence.
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };
inline constexpr std::size_t nccl_protocol_count = 3;

/// Names as in NCCL_ALGO and NCCL_PROTO.
std::string_view name(NcclAlgorithm algorithm);
std::string_view name(NcclProtocol protocol);

/// The constants of NCCL's tuning model, in its units of microseconds and GB/s.
/// Source: NCCL 2.30.7, src/graph/tuning.cc and src/graph/topo.h.
namespace nccl_constants {

/// Latency of a collective before its first message. [us]
double base_latency(NcclAlgorithm algorithm, NcclProtocol protocol);
/// Latency of a step over NVLink, and of a step between domains. [us]
double nvlink_latency(NcclAlgorithm algorithm, NcclProtocol protocol);
double net_latency(NcclAlgorithm algorithm, NcclProtocol protocol);

/// Bandwidth that the device's processors sustain, by the number of domains of a group. [GB/s]
struct Ceilings {
    double ll;          ///< protocol LL, all channels
    double ring_ll128;  ///< per channel
    double tree_ll128;
    double tree;
    double nvls_tree;
};
/// \param generation  not automatic
Ceilings ceilings(hardware::GpuGeneration generation, hardware::HostProcessor processor,
                  std::int64_t domains);

/// Efficiency of reductions in the switches of a domain, as a share of their links.
double switch_efficiency(hardware::GpuGeneration generation);

/// NCCL's bandwidth of NVLink as a share of the line rate.
double nvlink_share(hardware::GpuGeneration generation);

/// Bandwidth of a tree at a size relative to large sizes, up to 256 MiB (up to 1 GiB for trees of switches).
/// \param bytes  >= 0
double tree_correction(NcclAlgorithm algorithm, NcclProtocol protocol, double bytes);

}  // namespace nccl_constants
}  // namespace dse::model
