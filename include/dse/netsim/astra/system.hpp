#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

/// ASTRA-sim's analytical network and the part of its system layer that runs collectives, reproduced tick for
/// tick (1 tick = 1 ns). Source: ASTRA-sim 518bd51 with its analytical network 599a047, from its sources and
/// from runs.
namespace dse::netsim {

/// ASTRA-sim's time in whole nanoseconds.
using Ticks = std::int64_t;

/// Truncates a time to whole ticks, like ASTRA-sim.
/// \throws ModelError for a time that events cannot represent (36 years), and for NaN
Ticks whole_ticks(double ticks);

/// An algorithm as named in ASTRA-sim's system file: "ring", "direct", "direct4", "halvingDoubling",
/// "doubleBinaryTree"; with the prefix "one" ("oneRing"), over all devices as a single dimension.
struct AstraAlgorithm {
    hardware::Algorithm algorithm{hardware::Algorithm::ring};
    /// Number of messages that `direct` keeps in flight; 0: all.
    std::int64_t window{0};
    bool over_all{false};
};

/// \throws InputError for a name that ASTRA-sim does not know
AstraAlgorithm parse_astra_algorithm(std::string_view name);

/// One entry of `topology`, `npus_count`, `bandwidth` and `latency` of its network file.
struct AstraDimension {
    hardware::DimensionKind kind{hardware::DimensionKind::ring};
    std::int64_t npus{1};
    double bytes_per_tick{1.0};
    double latency{0.0};  ///< of one link, ticks

    /// \param gigabytes_per_second  as in the file. ASTRA-sim calls 2^30 bytes a GB
    static AstraDimension of_file(hardware::DimensionKind kind, std::int64_t npus,
                                  double gigabytes_per_second, double nanoseconds);
};

/// A number of consecutive links of one dimension.
struct AstraHops {
    std::size_t dimension{0};
    std::int64_t links{0};

    friend auto operator<=>(const AstraHops&, const AstraHops&) = default;
};

/// How a collective is split over the dimensions ("collective-optimization").
enum class AstraOptimization : std::uint8_t {
    local_bandwidth_aware,  ///< all-reduce scatters on the way out and gathers on the way back
    baseline,               ///< all-reduce of the full size in every dimension
};

/// Everything that determines the time of a collective in ASTRA-sim: its network file and its system file.
/// Small enough to be built for every call.
struct AstraSystem {
    static constexpr std::size_t most_dimensions = hardware::DimensionList::capacity;
    static constexpr std::size_t kinds = 4;  ///< of collectives, those with algorithms
    /// One algorithm per dimension. If the list is shorter than the topology, the outer dimensions are not
    /// used.
    struct Algorithms {
        std::array<AstraAlgorithm, most_dimensions> all;
        std::size_t count{0};
    };

    std::array<AstraDimension, most_dimensions> all_dimensions;
    std::size_t dimension_count{0};
    /// By collective: all-reduce, all-gather, reduce-scatter, all-to-all (the only supported ones).
    std::array<Algorithms, kinds> algorithms;
    std::int64_t splits{1};         ///< "preferred-dataset-splits"
    std::int64_t active_chunks{1};  ///< "active-chunks-per-dimension"
    Ticks endpoint_delay{10};
    /// "local-mem-bw" in bytes per second; 0: reductions take no time.
    double reduction_bandwidth{0.0};
    AstraOptimization optimization{AstraOptimization::local_bandwidth_aware};

    /// \throws ModelError for a mesh, which ASTRA-sim does not support
    void add(const AstraDimension& dimension);
    [[nodiscard]] std::span<const AstraDimension> dimensions() const {
        return {all_dimensions.data(), dimension_count};
    }
    /// \throws ModelError for a collective that ASTRA-sim does not support (broadcast, ring shift)
    [[nodiscard]] const Algorithms& algorithms_of(graph::CollectiveKind kind) const;
    void set_algorithms(graph::CollectiveKind kind, std::span<const AstraAlgorithm> algorithms);
    /// Sets the same algorithms for all collectives.
    void set_algorithms(std::span<const AstraAlgorithm> algorithms);
    /// Number of all devices.
    [[nodiscard]] std::int64_t npus() const;

    /// Ticks of a message over `hops` otherwise idle links of a dimension.
    [[nodiscard]] static Ticks delay(const AstraDimension& dimension, std::int64_t hops, std::int64_t bytes);
    /// Ticks that a device takes to reduce received data: two reads and a write.
    [[nodiscard]] Ticks reduction(std::int64_t bytes) const;
    /// Number of links between two positions of a dimension: the shorter way around a ring, 2 through a
    /// switch.
    [[nodiscard]] static std::int64_t hops(const AstraDimension& dimension, std::int64_t from,
                                           std::int64_t to);
    /// The path of a message between two devices: only over the innermost dimension in which they differ; no
    /// links from a device to itself.
    [[nodiscard]] AstraHops way(std::int64_t from, std::int64_t to) const;
    /// Ticks of a message between two devices.
    [[nodiscard]] Ticks delay(std::int64_t from, std::int64_t to, std::int64_t bytes) const;
};

}  // namespace dse::netsim
