// Also tests: described.cpp
#include "dse/hardware/cluster_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

constexpr const char* small = R"(
name: small
device:
  name: bare
  peak: {bf16: 100 TFLOPS}
  memory: {capacity: 16 GiB, bandwidth: 1 TB/s}
devices_per_node: 4
network:
  scale_up: {bandwidth: 100 GB/s, latency: 1 us, domain: 4}
  scale_out: {bandwidth: 200 Gbps, latency: 5 us}
)";

TEST(ClusterSpec, reads_with_its_device_written_in_place) {
    ClusterSpec cluster;
    EXPECT_EQ(errors_of(small, cluster), "");
    EXPECT_EQ(cluster.device.name, "bare");
    EXPECT_DOUBLE_EQ(cluster.network.scale_out.link.bandwidth.value(), 25e9);
    EXPECT_EQ(cluster.facility.pue, 1.0);
}

TEST(ClusterSpec, names_problems_by_their_path) {
    ClusterSpec cluster;
    ASSERT_EQ(errors_of(small, cluster), "");
    cluster.devices_per_node = 0;
    cluster.device.memory.capacity = Bytes{};
    cluster.network.scale_up.domain = 0;
    EXPECT_EQ(keys(problems_of(cluster)),
              (Keys{"devices_per_node", "device.memory.capacity", "network.scale_up.domain"}));
}

}  // namespace
}  // namespace dse::hardware
