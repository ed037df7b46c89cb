#include "dse/netsim/astra/plan.hpp"

#include <bit>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;

/// Endpoint delay of a message within a group, regardless of the system file.
constexpr Ticks group_endpoint_delay = 10;

/// Bytes of a chunk after a phase.
std::int64_t bytes_after(const AstraPhase& phase) {
    if (phase.algorithm.algorithm == Algorithm::double_binary_tree) return phase.bytes;
    if (phase.kind == CollectiveKind::all_gather) return phase.bytes * phase.nodes;
    if (phase.kind == CollectiveKind::reduce_scatter) return phase.bytes / phase.nodes;
    return phase.bytes;
}

void check(const AstraPhase& phase) {
    const Algorithm algorithm = phase.algorithm.algorithm;
    const bool power_of_two = std::has_single_bit(static_cast<std::uint64_t>(phase.nodes));
    if (algorithm == Algorithm::halving_doubling || algorithm == Algorithm::double_binary_tree) {
        if (!power_of_two) {
            throw ModelError(fmt::format("ASTRA-sim's {} needs a power of two of devices, not {}",
                                         hardware::name(algorithm), phase.nodes));
        }
    }
    if (algorithm == Algorithm::halving_doubling && phase.kind == CollectiveKind::all_to_all) {
        throw ModelError("ASTRA-sim has no all-to-all by halving and doubling (choose ring or direct)");
    }
    if (message_bytes(phase) < 1) {
        throw ModelError("ASTRA-sim cannot send messages below one byte (the collective is too small)");
    }
}

const AstraSystem::Algorithms& named_algorithms(const AstraSystem& system, CollectiveKind kind) {
    const AstraSystem::Algorithms& named = system.algorithms_of(kind);
    if (named.count == 0) {
        throw ModelError(fmt::format("ASTRA-sim's system file has no algorithm for {}", graph::name(kind)));
    }
    return named;
}

/// Splits a collective into chunks and returns the bytes per chunk.
std::int64_t split(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes, AstraPlan& plan) {
    std::int64_t chunk = bytes / system.splits;
    const std::int64_t least = system.npus();
    if (kind != CollectiveKind::all_gather && chunk < least) {
        chunk = least;
        bytes = system.splits * chunk;
    }
    if (chunk < 1) {
        throw ModelError(fmt::format("ASTRA-sim cannot split {} bytes into {} chunks", bytes, system.splits));
    }
    plan.chunks = bytes / chunk + (bytes % chunk != 0 ? 1 : 0);  // a sum may be too large to count
    return chunk;
}

struct DimensionIndices {
    std::array<std::size_t, AstraSystem::most_dimensions> all{};
    std::size_t count{0};
};

class PhaseWriter {
  public:
    PhaseWriter(const AstraSystem& system, CollectiveKind kind, std::int64_t chunk, AstraPlan& plan)
        : system_{system},
          algorithms_{named_algorithms(system, kind)},
          kind_{kind},
          bytes_{chunk},
          plan_{plan} {}

    /// Logical dimensions that join several devices: one per named algorithm, up to the first algorithm that
    /// spans all devices.
    [[nodiscard]] DimensionIndices dimensions(AstraInvolved involved) const {
        DimensionIndices found;
        for (std::size_t d = 0; d < algorithms_.count; ++d) {
            if ((involved >> d & 1U) != 0 && nodes(d) > 1) found.all[found.count++] = d;
            if (algorithms_.all[d].over_all) break;
        }
        return found;
    }

    void add(std::size_t dimension, CollectiveKind kind) {
        // ASTRA-sim's double binary tree all-reduces whatever the phase should do.
        const bool tree = algorithms_.all[dimension].algorithm == Algorithm::double_binary_tree;
        AstraPhase phase{.dimension = dimension,
                         .kind = tree ? CollectiveKind::all_reduce : kind,
                         .algorithm = algorithms_.all[dimension],
                         .nodes = nodes(dimension),
                         .stride = algorithms_.all[dimension].over_all ? 1 : stride(dimension),
                         .bytes = bytes_,
                         .endpoint_delay = system_.endpoint_delay};
        if (tree) {
            phase.tree = static_cast<std::size_t>(kind_) * AstraSystem::most_dimensions + dimension;
            for (const AstraPhase& earlier : plan_.phases()) {
                if (earlier.dimension == dimension) ++phase.tree_uses;
            }
        }
        check(phase);
        bytes_ = bytes_after(phase);
        plan_.add(phase);
    }

  private:
    [[nodiscard]] std::int64_t nodes(std::size_t dimension) const {
        return algorithms_.all[dimension].over_all ? system_.npus() : system_.all_dimensions[dimension].npus;
    }
    [[nodiscard]] std::int64_t stride(std::size_t dimension) const {
        std::int64_t product = 1;
        for (std::size_t d = 0; d < dimension; ++d) product *= system_.all_dimensions[d].npus;
        return product;
    }

    const AstraSystem& system_;
    const AstraSystem::Algorithms& algorithms_;
    CollectiveKind kind_;
    std::int64_t bytes_;
    AstraPlan& plan_;
};

}  // namespace

bool reduces(CollectiveKind kind) {
    return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
}

std::int64_t ring_messages(const AstraPhase& phase) {
    const std::int64_t others = phase.nodes - 1;
    if (phase.kind == CollectiveKind::all_reduce) return 2 * others;
    if (phase.kind == CollectiveKind::all_to_all) return others * phase.nodes / 2;
    return others;
}

std::int64_t message_bytes(const AstraPhase& phase) {
    if (phase.algorithm.algorithm == Algorithm::double_binary_tree) return phase.bytes;
    return phase.kind == CollectiveKind::all_gather ? phase.bytes : phase.bytes / phase.nodes;
}

AstraPlan plan_all(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes,
                   AstraInvolved involved) {
    AstraPlan plan;
    const std::int64_t chunk = split(system, kind, bytes, plan);
    PhaseWriter writer{system, kind, chunk, plan};
    const auto [dimensions, count] = writer.dimensions(involved);
    const bool scatters =
        kind == CollectiveKind::all_reduce && system.optimization == AstraOptimization::local_bandwidth_aware;
    if (!scatters || count == 0) {
        for (std::size_t i = 0; i < count; ++i) {
            writer.add(dimensions[kind == CollectiveKind::all_gather ? count - 1 - i : i], kind);
        }
        return plan;
    }
    for (std::size_t i = 0; i + 1 < count; ++i) writer.add(dimensions[i], CollectiveKind::reduce_scatter);
    writer.add(dimensions[count - 1], CollectiveKind::all_reduce);
    for (std::size_t i = count - 1; i-- > 0;) {
        writer.add(dimensions[i], CollectiveKind::all_gather);
        plan.all_phases[plan.phase_count - 1].direction = AstraDirection::anticlockwise;
    }
    return plan;
}

AstraPlan plan_group(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes,
                     std::int64_t members) {
    AstraPlan plan;
    const std::int64_t chunk = split(system, kind, bytes, plan);
    const AstraSystem::Algorithms& own = named_algorithms(system, kind);
    AstraPhase phase{.dimension = 0,
                     .kind = kind,
                     .algorithm = own.count == 1 ? own.all[0] : AstraAlgorithm{},
                     .nodes = members,
                     .stride = 1,
                     .bytes = chunk,
                     .endpoint_delay = group_endpoint_delay,
                     .of_group = true};
    if (phase.algorithm.algorithm == Algorithm::double_binary_tree) {
        throw ModelError("ASTRA-sim has no double binary tree over a group of devices");
    }
    check(phase);
    plan.add(phase);
    return plan;
}

AstraPlan plan_scheduled(const AstraSystem& system, const AstraSchedule& schedule, CollectiveKind kind,
                         std::int64_t bytes, std::int64_t members) {
    if (system.splits != 1) {
        throw ModelError(fmt::format(
            "preferred-dataset-splits is {}: of a collective from trace files ASTRA-sim plays one chunk and "
            "waits for all of them; it never ends unless it is 1",
            system.splits));
    }
    AstraPlan plan;
    plan.chunks = 1;
    plan.add({.dimension = 0,
              .kind = kind,
              .nodes = members,
              .bytes = bytes,
              .of_group = members < system.npus(),
              .schedule = &schedule});
    return plan;
}

}  // namespace dse::netsim
