#pragma once

#include <string>

#include "dse/base/units.hpp"
#include "dse/config/described_once.hpp"
#include "dse/hardware/device/attention_spec.hpp"
#include "dse/hardware/device/efficiency_spec.hpp"
#include "dse/hardware/device/learned_spec.hpp"
#include "dse/hardware/device/matmul_spec.hpp"
#include "dse/hardware/device/measured_table.hpp"
#include "dse/hardware/device/memory_spec.hpp"
#include "dse/hardware/device/overlap_spec.hpp"
#include "dse/hardware/device/power_spec.hpp"
#include "dse/hardware/device/precision_rates.hpp"
#include "dse/hardware/device/systolic_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// One accelerator. Only name, peak rates and memory are required: everything else has a neutral default, so
/// that a datasheet alone gives a plain roofline model.
struct DeviceSpec {
    std::string name;
    PrecisionRates peak;  ///< dense rates of the datasheet
    MatmulSpec matmul;
    SystolicSpec systolic;  ///< used by compute model `systolic` only
    MeasuredTable table;    ///< used by compute model `table` only
    LearnedSpec learned;    ///< used by compute model `learned` only
    AttentionSpec attention;
    EfficiencySpec efficiency;
    MemorySpec memory;
    /// Time of an empty kernel launched from a full queue.
    Seconds kernel_latency;
    /// Time of an empty kernel in a replayed CUDA graph, as in the steps of mode serving. 0: kernel_latency.
    Seconds graph_kernel_latency;
    /// matmul.split_depth of the same steps. 0: that of all others.
    double graph_split_depth{0.0};
    /// matmul.plain_memory_efficiency of the same steps. 0: that of all others.
    double graph_memory_efficiency{0.0};
    OverlapSpec overlap;
    PowerSpec power;
    /// Rent of one device with its share of the node, and of the network unless that has prices of its own.
    DollarsPerSecond price;
};

Problems problems_of(const DeviceSpec& device);

/// What no real device has, though a sweep may ask about it (an axis, `dse sensitivity`): products faster
/// than the peak of their format. One of the two is with sparsity, or of another format. A format without a
/// peak may have a rate, measured by emulating it, which nothing uses.
Problems misstatements_of(const DeviceSpec& device);

template <class Visitor>
void describe(Visitor& v, DeviceSpec& device) {
    v.required("name", device.name, "name for display");
    v.section("peak", device.peak, "dense rates of the datasheet");
    v.section("memory", device.memory, "device memory");
    v.optional_section("matmul", device.matmul, "matrix products");
    v.optional_section("systolic", device.systolic, "matrix units as a systolic array");
    v.preset("table", device.table, "hardware/tables", "measured kernel times", [] {});
    v.preset("learned", device.learned, "hardware/learned", "learned models of kernel times", [] {});
    v.optional_section("attention", device.attention, "fused attention kernels");
    v.optional_section("efficiency", device.efficiency, "efficiency by operator class");
    v.optional("kernel_latency", device.kernel_latency, config::not_negative,
               "time of an empty kernel launched from a full queue");
    v.optional("graph_kernel_latency", device.graph_kernel_latency, config::not_negative,
               "time of an empty kernel in a replayed graph (mode serving); by default kernel_latency");
    v.optional("graph_split_depth", device.graph_split_depth, config::not_negative,
               "matmul.split_depth in a replayed graph (mode serving); by default matmul.split_depth");
    v.optional("graph_memory_efficiency", device.graph_memory_efficiency, config::share,
               "matmul.plain_memory_efficiency in a replayed graph (mode serving); by default the same");
    v.optional_section("overlap", device.overlap, "slowdown of kernels by concurrent communication");
    v.optional_from_library("power", device.power, "hardware/energy", "electric power");
    v.optional("price", device.price, config::not_negative,
               "rent of one device with its share of the node and network");
    check_after_reading(v, device);
    if constexpr (requires { v.diagnostics(); }) {
        report(misstatements_of(device), v.node(), v.diagnostics());
        device.table.rates = {device.peak, device.matmul.sustained, device.memory.bandwidth};
    }
}
DSE_DESCRIBED_ONCE(DeviceSpec);

}  // namespace dse::hardware
