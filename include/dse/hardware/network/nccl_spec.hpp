#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Of the devices, as far as NCCL's constants go.
enum class GpuGeneration : std::uint8_t {
    automatic,  ///< by the bandwidth of the scale-up links: 150, 300, 450 and 900 GB/s a direction
    volta,
    ampere,
    hopper,
    blackwell,
};
std::span<const std::string_view> choice_names(GpuGeneration);

/// Maker of the processors of a node.
enum class HostProcessor : std::uint8_t { intel, amd, arm };
std::span<const std::string_view> choice_names(HostProcessor);

/// A part of the library that it uses where it applies, or that the machine forbids.
enum class LibraryFeature : std::uint8_t { automatic, off };
std::span<const std::string_view> choice_names(LibraryFeature);

/// How the NICs of a domain reach those of others.
enum class FabricKind : std::uint8_t {
    uniform,         ///< every NIC reaches every other alike
    rail_optimized,  ///< NICs of equal number share a switch; others are reached across the spine
};
std::span<const std::string_view> choice_names(FabricKind);

/// Whether the switches of the fabric reduce.
enum class FabricReduction : std::uint8_t { none, sharp };
std::span<const std::string_view> choice_names(FabricReduction);

/// What NCCL knows of a machine beside its links, and what its own estimates leave out; only the network
/// model `nccl` reads it. With the defaults of the last four its times are NCCL's estimates.
struct NcclSpec {
    GpuGeneration generation{GpuGeneration::automatic};
    HostProcessor processor{HostProcessor::intel};
    /// NICs of a scale-up domain; 0: one a device.
    std::int64_t nics{0};
    /// Latency that the network plugin reports. NCCL adds it to that of its own table.
    Seconds net_latency;
    FabricKind fabric{FabricKind::uniform};
    /// Whether messages for a device of another rail first go to the own domain's device on that rail.
    LibraryFeature pxn{LibraryFeature::automatic};
    /// The protocol that relies on 128 bytes arriving in order.
    LibraryFeature ll128{LibraryFeature::automatic};
    FabricReduction fabric_reduction{FabricReduction::none};

    /// Time of a collective beyond NCCL's estimate: the stream that waits, the framework.
    Seconds overhead;
    /// Joins latency and transfer of protocol Simple along rings and trees, as CollectiveSpec::sharpness
    /// does. 1: the sum.
    double sharpness{1.0};
    /// The same where a switch has all devices at once: reductions in it, all-to-all.
    double switch_sharpness{1.0};
    /// What the copy of a device's own part takes, in steps of a ring.
    double own_copy{0.0};
};

Problems problems_of(const NcclSpec& nccl);

template <class Visitor>
void describe(Visitor& v, NcclSpec& nccl) {
    v.optional("generation", nccl.generation,
               "volta, ampere, hopper, blackwell; automatic: by NVLink's rate");
    v.optional("processor", nccl.processor, "intel, amd or arm");
    v.optional("nics", nccl.nics, config::not_negative, "NICs of a scale-up domain; 0: one a device");
    v.optional("net_latency", nccl.net_latency, config::not_negative,
               "latency that the network plugin reports");
    v.optional("fabric", nccl.fabric, "uniform, or rail_optimized");
    v.optional("pxn", nccl.pxn, "messages across rails pass the device on the other's rail: automatic, off");
    v.optional("ll128", nccl.ll128, "protocol LL128: automatic, off");
    v.optional("fabric_reduction", nccl.fabric_reduction, "none, or sharp: switches of the fabric reduce");
    v.optional("overhead", nccl.overhead, config::not_negative,
               "of a collective, beyond NCCL's own estimate");
    v.optional("sharpness", nccl.sharpness, config::positive,
               "exponent that joins latency and transfer along rings and trees; 1: the sum");
    v.optional("switch_sharpness", nccl.switch_sharpness, config::positive,
               "the same for reductions in switches and all-to-all");
    v.optional("own_copy", nccl.own_copy, config::not_negative,
               "copy of a device's own part, in steps of a ring");
    check_after_reading(v, nccl);
}

}  // namespace dse::hardware
