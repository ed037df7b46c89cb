#include "netsim/astra/phase_time.hpp"

#include <functional>
#include <queue>
#include <vector>

#include "netsim/astra/halving_doubling.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

/// One message at a time around the ring.
Ticks ring_ticks(const AstraSystem& system, const AstraPhase& phase, const AstraDimension& dimension) {
    const std::int64_t bytes = message_bytes(phase);
    const Ticks step = AstraSystem::delay(dimension, AstraSystem::hops(dimension, 0, 1), bytes);
    const Ticks reduction = reduces(phase.kind) ? (phase.nodes - 1) * system.reduction(bytes) : 0;
    return phase.endpoint_delay + ring_messages(phase) * (step + phase.endpoint_delay) + reduction;
}

Ticks halving_doubling_ticks(const AstraSystem& system, const AstraPhase& phase,
                             const AstraDimension& dimension) {
    Ticks time = phase.endpoint_delay;
    HalvingDoublingMessages message{phase};
    for (std::int64_t i = 0; i < message.count(); ++i, message.advance()) {
        const std::int64_t hops = AstraSystem::hops(dimension, 0, message.distance());
        time += AstraSystem::delay(dimension, hops, message.bytes()) + phase.endpoint_delay;
        // Reduction of the first message's contents is not charged, only that of the later outward ones.
        const bool charged = reduces(phase.kind) && i > 0 && i < message.levels();
        if (charged) time += system.reduction(message.bytes());
    }
    return time;
}

/// Direct all-reduce on a ring, where contributions arrive one after the other. All members do the same at
/// the same time. Once all contributions have arrived, a member sends one result, to the nearest device
/// first, for each message that it has handled, be it a contribution or already a result.
Ticks direct_all_reduce_on_ring(const AstraSystem& system, const AstraPhase& phase,
                                const AstraDimension& dimension) {
    const std::int64_t bytes = message_bytes(phase);
    const auto delay = [&](std::int64_t distance) {
        return AstraSystem::delay(dimension, AstraSystem::hops(dimension, 0, distance), bytes);
    };
    // Arrival of the i-th contribution: the first two come from the direct neighbours, the next two from two
    // links away, and so on.
    const auto arrival = [&](std::int64_t i) { return phase.endpoint_delay + delay(i / 2 + 1); };
    const std::int64_t others = phase.nodes - 1;
    const Ticks all_arrived = arrival(others - 1);
    std::priority_queue<Ticks, std::vector<Ticks>, std::greater<>> handled;
    for (std::int64_t i = 0; i < others; ++i)
        handled.push(arrival(i) + phase.endpoint_delay + system.reduction(bytes));
    std::int64_t free = 0;
    std::int64_t results = 0;
    Ticks now = 0;
    while (!handled.empty()) {
        now = handled.top();
        handled.pop();
        ++free;
        if (now < all_arrived) continue;
        for (; free > 0 && results < others; --free)
            handled.push(now + delay(++results) + phase.endpoint_delay);
    }
    return now;
}

Ticks direct_ticks(const AstraSystem& system, const AstraPhase& phase, const AstraDimension& dimension) {
    const std::int64_t bytes = message_bytes(phase);
    const bool all_reduce = phase.kind == CollectiveKind::all_reduce;
    if (all_reduce && dimension.kind == DimensionKind::ring) {
        return direct_all_reduce_on_ring(system, phase, dimension);
    }
    const std::int64_t farthest = AstraSystem::hops(dimension, 0, phase.nodes / 2);
    const Ticks exchange = AstraSystem::delay(dimension, farthest, bytes) + phase.endpoint_delay;
    const Ticks reduction = reduces(phase.kind) ? system.reduction(bytes) : 0;
    // Within a group of more than two members, ASTRA-sim charges final results as if they were added as well.
    const bool charged_twice = all_reduce && phase.of_group && phase.nodes > 2;
    return phase.endpoint_delay + (all_reduce ? 2 : 1) * exchange + (charged_twice ? 2 : 1) * reduction;
}

}  // namespace

std::optional<Ticks> lockstep_ticks(const AstraSystem& system, const AstraPhase& phase) {
    const AstraAlgorithm& algorithm = phase.algorithm;
    const AstraDimension& dimension = system.all_dimensions[phase.dimension];
    const bool several = system.dimension_count > 1;
    const bool whole = phase.nodes == dimension.npus;
    const bool equally_far = !several && dimension.kind != DimensionKind::ring;
    if (!(whole || equally_far) || (several && (algorithm.over_all || phase.of_group))) return std::nullopt;
    switch (algorithm.algorithm) {
        case Algorithm::ring:
            return ring_ticks(system, phase, dimension);
        case Algorithm::halving_doubling:
            return halving_doubling_ticks(system, phase, dimension);
        case Algorithm::direct:
            if (algorithm.window != 0 && algorithm.window < phase.nodes - 1) return std::nullopt;
            return direct_ticks(system, phase, dimension);
        case Algorithm::double_binary_tree:
        case Algorithm::automatic:
            break;
    }
    return std::nullopt;
}

}  // namespace dse::netsim
