#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dse/config/library_struct.hpp"
#include "dse/hardware/cluster_spec.hpp"
#include "support/source_dir.hpp"

namespace dse::model {

/// A device that computes 100 TFLOP/s in bf16, 10 in fp32, and moves 1 TB/s; nothing else is known of it.
inline hardware::DeviceSpec bare_device() {
    hardware::DeviceSpec device;
    device.name = "bare";
    device.peak.bf16 = FlopPerSecond{100e12};
    device.peak.fp32 = FlopPerSecond{10e12};
    device.memory.capacity = Bytes{16e9};
    device.memory.bandwidth = BytesPerSecond{1e12};
    return device;
}

/// The same with an array of 128 × 128 that sustains 32,768 FLOP a nanosecond, so that a cycle takes 1 ns; 2
/// us a product, the first megabyte at 100 GB/s.
inline hardware::DeviceSpec systolic_device() {
    hardware::DeviceSpec device = bare_device();
    device.systolic.rows = 128;
    device.systolic.columns = 128;
    device.matmul.sustained.bf16 = FlopPerSecond{32768e9};
    device.systolic.latency = Seconds{2e-6};
    device.systolic.staged = Bytes{1e6};
    device.systolic.staging_bandwidth = BytesPerSecond{100e9};
    return device;
}

/// What was learned of one kind of kernels: the same logarithm of a factor for all of them.
inline hardware::LearnedSpec with_trees(const std::string& kind, float answer) {
    hardware::LearnedKind learned_kind;
    learned_kind.trees.add(std::array{hardware::TreeEnsemble::Node{answer, -1, 0}});
    hardware::LearnedSpec learned;
    learned.multiprocessors = 100;
    learned.cache = Bytes{50e6};
    learned.cycle = Seconds{0.5e-9};
    learned.trees = std::make_shared<const hardware::TreeFile>(
        std::map<std::string, hardware::LearnedKind>{{kind, learned_kind}});
    return learned;
}

/// The same, by its peak, with a table: 1000 cubed took 30 us, 2000 cubed 480 us; 2 MB of element-wise work 4
/// us. Trees of products leave their bare form as it is.
inline hardware::DeviceSpec measured_device() {
    hardware::DeviceSpec device = systolic_device();
    device.matmul.sustained = {};
    std::vector<hardware::MeasuredRow> rows(3);
    rows[0] = {"gemm", "bf16", 1, 1000, 1000, 1000, Bytes{}, Seconds{30e-6}, 2};
    rows[1] = {"gemm", "bf16", 1, 2000, 2000, 2000, Bytes{}, Seconds{480e-6}, 3};
    rows[2] = {"elementwise", "bf16", 0, 0, 0, 0, Bytes{2e6}, Seconds{4e-6}, 4};
    device.learned = with_trees("gemm", 0.0F);
    device.table.name = "by hand";
    device.table.rows = std::make_shared<const std::vector<hardware::MeasuredRow>>(std::move(rows));
    return device;
}

/// Domains of 8 with 100 GB/s and 1 us; 10 GB/s and 5 us between them; textbook otherwise.
inline hardware::NetworkSpec plain_network() {
    hardware::NetworkSpec network;
    network.scale_up.link = {BytesPerSecond{100e9}, Seconds{1e-6}, 1.0};
    network.scale_up.domain = 8;
    network.scale_out.link = {BytesPerSecond{10e9}, Seconds{5e-6}, 1.0};
    return network;
}

/// A dimension of a network: so many GB/s and microseconds a link.
inline hardware::DimensionSpec plain_dimension(hardware::DimensionKind kind, std::int64_t size,
                                               double gigabytes_per_second, double microseconds) {
    hardware::DimensionSpec dimension;
    dimension.kind = kind;
    dimension.size = size;
    dimension.link = {BytesPerSecond{gigabytes_per_second * 1e9}, Seconds{microseconds * 1e-6}, 1.0};
    return dimension;
}

/// A device of the catalogue in hardware/.
inline hardware::DeviceSpec catalogue_device(const std::string& name) {
    return config::read_from_library<hardware::DeviceSpec>(config::Library{{DSE_SOURCE_DIR}},
                                                           "hardware/devices", name, "test");
}

/// A cluster of the catalogue in hardware/.
inline hardware::ClusterSpec catalogue_cluster(const std::string& name) {
    return config::read_from_library<hardware::ClusterSpec>(config::Library{{DSE_SOURCE_DIR}},
                                                            "hardware/clusters", name, "test");
}

}  // namespace dse::model
