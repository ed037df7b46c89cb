#include "dse/model/network/nccl/constants.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

using hardware::GpuGeneration;

template <class Enum>
constexpr std::size_t index(Enum value) {
    return static_cast<std::size_t>(value);
}

using ByProtocol = std::array<double, nccl_protocol_count>;
using ByAlgorithm = std::array<ByProtocol, nccl_algorithm_count>;

// Rows: tree, ring, collnet_direct, collnet_chain, nvls, nvls_tree, pat. Columns: LL, LL128, Simple.
constexpr ByAlgorithm base{
    {{6.8, 14.0, 8.4}, {6.6, 14.0, 8.4}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {8.0, 8.0, 8.0}}};
constexpr ByAlgorithm nvlink{
    {{0.6, 1.25, 4.0}, {0.6, 1.9, 3.4}, {0, 0, 3.7}, {0, 0, 2.8}, {0, 0, 25.0}, {0, 0, 25.0}, {0, 0, 4.0}}};
constexpr ByAlgorithm net{{{5.0, 8.5, 14.0},
                           {2.7, 4.0, 14.0},
                           {0, 0, 31.0},
                           {0, 0, 30.0},
                           {0, 0, 18.0},
                           {0, 0, 20.9},
                           {0, 0, 14.0}}};

// Rows: volta, ampere, hopper, blackwell. Columns: one domain, two, more.
using ByDomains = std::array<double, 3>;
using ByGeneration = std::array<ByDomains, 4>;
constexpr ByGeneration ll{{{39.0, 39.0, 20.4}, {87.7, 22.5, 19.0}, {141.0, 45.0, 35.0}, {282.0, 90.0, 70.0}}};
constexpr ByGeneration ring_ll128{
    {{20.0, 20.0, 20.0}, {20.0, 20.0, 20.0}, {36.7, 36.7, 36.7}, {40.0, 40.0, 40.0}}};
constexpr ByGeneration tree_ll128{
    {{20.0, 20.0, 20.0}, {20.0, 20.0, 20.0}, {36.7, 36.7, 29.0}, {55.6, 31.67, 20.0}}};
constexpr ByGeneration tree{{{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {38.7, 41.4, 36.0}, {70.0, 42.8, 24.0}}};
constexpr ByGeneration nvls_tree{
    {{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {0.0, 57.7, 45.5}, {0.0, 96.0, 80.0}}};

// Sizes of 64 B, 128 B, …; sizes above the last one are not corrected.
constexpr std::size_t corrected_sizes = 24;
constexpr std::array<std::array<double, corrected_sizes>, nccl_protocol_count> correction{
    {{1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.7, 0.7, 0.7, 0.7, 0.6, 0.5,
      0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0},
     {1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7, 0.6, 0.6,
      0.6, 0.6, 0.6, 0.6, 0.8, 0.9, 0.9, 0.9, 0.9, 1.0, 1.0, 1.0},
     {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.7, 0.6, 0.6, 0.5,
      0.5, 0.5, 0.5, 0.6, 0.7, 0.8, 0.7, 0.7, 0.8, 0.9, 0.9, 0.9}}};

std::size_t row(GpuGeneration generation) {
    DSE_EXPECT(generation != GpuGeneration::automatic);
    return index(generation) - index(GpuGeneration::volta);
}

}  // namespace

std::string_view name(NcclAlgorithm algorithm) {
    constexpr std::array<std::string_view, nccl_algorithm_count> names{
        "Tree", "Ring", "CollNetDirect", "CollNetChain", "NVLS", "NVLSTree", "PAT"};
    return names[index(algorithm)];
}

std::string_view name(NcclProtocol protocol) {
    constexpr std::array<std::string_view, nccl_protocol_count> names{"LL", "LL128", "Simple"};
    return names[index(protocol)];
}

namespace nccl_constants {

double base_latency(NcclAlgorithm algorithm, NcclProtocol protocol) {
    return base[index(algorithm)][index(protocol)];
}

double nvlink_latency(NcclAlgorithm algorithm, NcclProtocol protocol) {
    return nvlink[index(algorithm)][index(protocol)];
}

double net_latency(NcclAlgorithm algorithm, NcclProtocol protocol) {
    return net[index(algorithm)][index(protocol)];
}

Ceilings ceilings(GpuGeneration generation, hardware::HostProcessor processor, std::int64_t domains) {
    const auto column = static_cast<std::size_t>(std::min<std::int64_t>(domains, 3) - 1);
    const std::size_t device = row(generation);
    // Across domains, the protocol's flags go through host memory.
    const std::size_t host = processor == hardware::HostProcessor::amd ? 1 : 0;
    return {ll[domains == 1 ? device : host][column], ring_ll128[device][column], tree_ll128[device][column],
            tree[device][column], nvls_tree[device][column]};
}

double switch_efficiency(GpuGeneration generation) {
    constexpr std::array<double, 4> shares{0.0, 0.0, 0.85, 0.74};
    return shares[row(generation)];
}

double nvlink_share(GpuGeneration generation) {
    constexpr std::array<double, 4> shares{20.0 / 25.0, 20.0 / 25.0, 20.6 / 25.0, 40.1 / 50.0};
    return shares[row(generation)];
}

double tree_correction(NcclAlgorithm algorithm, NcclProtocol protocol, double bytes) {
    const auto units = static_cast<std::uint64_t>(bytes / 64.0);
    if (units == 0) return 1.0;
    const auto size = static_cast<std::size_t>(std::bit_width(units) - 1);
    const std::size_t sizes = algorithm == NcclAlgorithm::tree ? corrected_sizes - 1 : corrected_sizes;
    return size < sizes ? correction[index(protocol)][size] : 1.0;
}

}  // namespace nccl_constants
}  // namespace dse::model
