#include "dse/model/network/nccl/constants.hpp"

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using hardware::GpuGeneration;
using hardware::HostProcessor;

// Rows of NCCL 2.30.7, src/graph/tuning.cc.

TEST(NcclConstants, latencies_are_by_algorithm_and_protocol) {
    using namespace nccl_constants;
    EXPECT_EQ(base_latency(NcclAlgorithm::ring, NcclProtocol::ll), 6.6);
    EXPECT_EQ(base_latency(NcclAlgorithm::nvls, NcclProtocol::simple), 0.0);
    EXPECT_EQ(nvlink_latency(NcclAlgorithm::tree, NcclProtocol::ll128), 1.25);
    EXPECT_EQ(nvlink_latency(NcclAlgorithm::nvls, NcclProtocol::simple), 25.0);
    EXPECT_EQ(net_latency(NcclAlgorithm::nvls_tree, NcclProtocol::simple), 20.9);
    EXPECT_EQ(net_latency(NcclAlgorithm::pat, NcclProtocol::simple), 14.0);
}

TEST(NcclConstants, ll_is_limited_by_the_device_inside_and_by_the_host_across) {
    using nccl_constants::ceilings;
    EXPECT_EQ(ceilings(GpuGeneration::hopper, HostProcessor::intel, 1).ll, 141.0);
    EXPECT_EQ(ceilings(GpuGeneration::hopper, HostProcessor::intel, 2).ll, 39.0);
    EXPECT_EQ(ceilings(GpuGeneration::hopper, HostProcessor::amd, 2).ll, 22.5);
    EXPECT_EQ(ceilings(GpuGeneration::blackwell, HostProcessor::arm, 100).ll, 20.4);
    EXPECT_EQ(ceilings(GpuGeneration::blackwell, HostProcessor::arm, 100).tree, 24.0);
    EXPECT_EQ(ceilings(GpuGeneration::blackwell, HostProcessor::arm, 2).tree_ll128, 31.67);
    EXPECT_EQ(ceilings(GpuGeneration::hopper, HostProcessor::amd, 3).nvls_tree, 45.5);
    EXPECT_EQ(ceilings(GpuGeneration::volta, HostProcessor::amd, 1).ring_ll128, 20.0);
}

TEST(NcclConstants, generations_differ) {
    using namespace nccl_constants;
    EXPECT_EQ(switch_efficiency(GpuGeneration::ampere), 0.0);
    EXPECT_EQ(switch_efficiency(GpuGeneration::hopper), 0.85);
    EXPECT_EQ(switch_efficiency(GpuGeneration::blackwell), 0.74);
    // 18 links: 450 GB/s, of which NCCL counts 370.8.
    EXPECT_DOUBLE_EQ(450.0 * nvlink_share(GpuGeneration::hopper), 370.8);
    EXPECT_DOUBLE_EQ(900.0 * nvlink_share(GpuGeneration::blackwell), 721.8);
}

TEST(NcclConstants, trees_are_corrected_by_powers_of_two) {
    const auto factor = [](NcclAlgorithm algorithm, NcclProtocol protocol, double bytes) {
        return nccl_constants::tree_correction(algorithm, protocol, bytes);
    };
    using enum NcclAlgorithm;
    EXPECT_EQ(factor(tree, NcclProtocol::ll, 63.0), 1.0);
    EXPECT_EQ(factor(tree, NcclProtocol::simple, 64.0), 0.9);
    // 1 MiB is 2^14 units of 64 B.
    EXPECT_EQ(factor(tree, NcclProtocol::ll, 1048576.0), 0.5);
    EXPECT_EQ(factor(tree, NcclProtocol::ll, 1048575.0), 0.4);
    EXPECT_EQ(factor(tree, NcclProtocol::ll128, 1048576.0), 0.6);
    // 256 MiB is 2^22 units, the last size that trees have; those of switches have one more.
    EXPECT_EQ(factor(tree, NcclProtocol::simple, 268435456.0), 0.9);
    EXPECT_EQ(factor(tree, NcclProtocol::simple, 536870912.0), 1.0);
    EXPECT_EQ(factor(nvls_tree, NcclProtocol::simple, 536870912.0), 0.9);
    EXPECT_EQ(factor(nvls_tree, NcclProtocol::simple, 1073741824.0), 1.0);
}

TEST(NcclConstants, names_are_those_of_the_environment_variables) {
    EXPECT_EQ(name(NcclAlgorithm::nvls_tree), "NVLSTree");
    EXPECT_EQ(name(NcclAlgorithm::collnet_direct), "CollNetDirect");
    EXPECT_EQ(name(NcclProtocol::ll128), "LL128");
}

}  // namespace
}  // namespace dse::model
