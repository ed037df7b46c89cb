#pragma once

#include <string>

#include "dse/base/units.hpp"
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

/// One accelerator. Name, peak rates and memory are enough: everything else has a neutral default, so that a
/// datasheet alone gives a plain roofline.
struct DeviceSpec {
    std::string name;
    PrecisionRates peak;  ///< datasheet, dense
    MatmulSpec matmul;
    SystolicSpec systolic;  ///< what only the compute model systolic reads
    MeasuredTable table;    ///< what only the compute model table reads
    LearnedSpec learned;    ///< what only the compute model learned reads
    AttentionSpec attention;
    EfficiencySpec efficiency;
    MemorySpec memory;
    /// Time of a kernel that does nothing, launched from a full queue.
    Seconds kernel_latency;
    /// The same of one that a replayed CUDA graph starts, as mode serving's steps do. 0: kernel_latency.
    Seconds graph_kernel_latency;
    OverlapSpec overlap;
    PowerSpec power;
    /// Rent of one device with its share of the node, and of the network where that has no prices of its own.
    DollarsPerSecond price;
};

Problems problems_of(const DeviceSpec& device);

template <class Visitor>
void describe(Visitor& v, DeviceSpec& device) {
    v.required("name", device.name, "for people");
    v.section("peak", device.peak, "dense datasheet rates");
    v.section("memory", device.memory, "device memory");
    v.optional_section("matmul", device.matmul, "matrix products");
    v.optional_section("systolic", device.systolic, "matrix units as a systolic array");
    v.preset("table", device.table, "hardware/tables", "measured times of its kernels", [] {});
    v.preset("learned", device.learned, "hardware/learned", "what was learned of its kernels", [] {});
    v.optional_section("attention", device.attention, "fused attention kernels");
    v.optional_section("efficiency", device.efficiency, "by class of operators");
    v.optional("kernel_latency", device.kernel_latency, config::not_negative,
               "time of an empty kernel in a full queue");
    v.optional("graph_kernel_latency", device.graph_kernel_latency, config::not_negative,
               "the same in a replayed graph (mode serving); by default no less");
    v.optional_section("overlap", device.overlap, "kernels beside collectives and copies");
    v.optional_from_library("power", device.power, "hardware/energy", "electric power");
    v.optional("price", device.price, config::not_negative,
               "rent of one device with its share of the node and network");
    check_after_reading(v, device);
}

}  // namespace dse::hardware
