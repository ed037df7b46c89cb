#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Generation of the devices, which selects NCCL's constants.
enum class GpuGeneration : std::uint8_t {
    automatic,  ///< by the bandwidth of the scale-up links: 150, 300, 450 and 900 GB/s per direction
    volta,
    ampere,
    hopper,
    blackwell,
};
DSE_CHOICES(GpuGeneration, automatic, volta, ampere, hopper, blackwell);

/// Manufacturer of the host processors.
enum class HostProcessor : std::uint8_t { intel, amd, arm };
DSE_CHOICES(HostProcessor, intel, amd, arm);

/// A feature that the library uses when it applies, or that is switched off.
enum class LibraryFeature : std::uint8_t { automatic, off };
DSE_CHOICES(LibraryFeature, automatic, off);

/// How the NICs of different domains are connected.
enum class FabricKind : std::uint8_t {
    uniform,         ///< all pairs of NICs are equivalent
    rail_optimized,  ///< NICs with the same index share a switch; others are reached across the spine
};
DSE_CHOICES(FabricKind, uniform, rail_optimized);

/// Whether the switches of the fabric perform reductions.
enum class FabricReduction : std::uint8_t { none, sharp };
DSE_CHOICES(FabricReduction, none, sharp);

/// What NCCL knows of a machine beside its links, and effects that its own estimates leave out; used by
/// network models `nccl` and `calibrated`. With the defaults of the last four fields its times are NCCL's own
/// estimates.
struct NcclSpec {
    GpuGeneration generation{GpuGeneration::automatic};
    /// Measured time of an all-gather of up to 4 KiB between two devices of a domain, in a replayed CUDA
    /// graph. Latencies of network model `calibrated` follow it where no generation was measured. 0: they are
    /// those of `generation`.
    Seconds short_all_gather;
    /// Time of a call beside the device's own, in network model `calibrated`: the host's launch, the events
    /// and streams around it, and the wait for the slowest host. 0 in a graph, and where earlier work of the
    /// queue hides it.
    Seconds call_time;
    HostProcessor processor{HostProcessor::intel};
    /// Number of NICs of a scale-up domain; 0: one per device.
    std::int64_t nics{0};
    /// Latency reported by the network plugin, which NCCL adds to that of its own table.
    Seconds net_latency;
    FabricKind fabric{FabricKind::uniform};
    /// Whether messages to another rail are relayed by the sending domain's device on that rail.
    LibraryFeature pxn{LibraryFeature::automatic};
    /// The protocol that relies on 128 bytes arriving in order.
    LibraryFeature ll128{LibraryFeature::automatic};
    FabricReduction fabric_reduction{FabricReduction::none};

    /// Time of a collective beyond NCCL's estimate: synchronization of the stream, the framework.
    Seconds overhead;
    /// Joins latency and transfer time of protocol Simple along rings and trees, like
    /// CollectiveSpec::sharpness. 1: the sum.
    double sharpness{1.0};
    /// The same for traffic that passes through a switch at once: reductions in the switch, all-to-all.
    double switch_sharpness{1.0};
    /// Time to copy a device's own part, in steps of a ring.
    double own_copy{0.0};
};

Problems problems_of(const NcclSpec& nccl);

template <class Visitor>
void describe(Visitor& v, NcclSpec& nccl) {
    v.optional("generation", nccl.generation,
               "volta, ampere, hopper, blackwell; automatic: by NVLink's rate");
    v.optional("short_all_gather", nccl.short_all_gather, config::not_negative,
               "measured time of an all-gather of up to 4 KiB between two devices, for network calibrated "
               "on a generation that was not measured; 0: as generation");
    v.optional(
        "call_time", nccl.call_time, config::not_negative,
        "what a single call adds to the device's own time, for network calibrated: launch, events, the "
        "slowest host; 0: hidden by earlier work, or in a graph");
    v.optional("processor", nccl.processor, "intel, amd or arm");
    v.optional("nics", nccl.nics, config::not_negative,
               "number of NICs of a scale-up domain; 0: one per device");
    v.optional("net_latency", nccl.net_latency, config::not_negative,
               "latency reported by the network plugin");
    v.optional("fabric", nccl.fabric, "uniform, or rail_optimized");
    v.optional("pxn", nccl.pxn,
               "messages to another rail are relayed within the sending domain: automatic, off");
    v.optional("ll128", nccl.ll128, "protocol LL128: automatic, off");
    v.optional("fabric_reduction", nccl.fabric_reduction, "none, or sharp: switches of the fabric reduce");
    v.optional("overhead", nccl.overhead, config::not_negative,
               "time of a collective beyond NCCL's own estimate");
    v.optional("sharpness", nccl.sharpness, config::positive,
               "exponent that joins latency and transfer along rings and trees; 1: the sum");
    v.optional("switch_sharpness", nccl.switch_sharpness, config::positive,
               "the same for reductions in switches and for all-to-all");
    v.optional("own_copy", nccl.own_copy, config::not_negative,
               "time to copy a device's own part, in steps of a ring");
    check_after_reading(v, nccl);
}

}  // namespace dse::hardware
