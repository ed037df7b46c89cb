#include "dse/netsim/astra/collective_ticks.hpp"

#include <algorithm>
#include <numeric>

#include "dse/netsim/astra/player.hpp"
#include "netsim/astra/phase_time.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;

Ticks last_of(const std::vector<Ticks>& ends) {
    return *std::ranges::max_element(ends);
}

Ticks play_all(const AstraSystem& system, const AstraPlan& plan) {
    std::vector<std::int64_t> everybody(static_cast<std::size_t>(system.npus()));
    std::iota(everybody.begin(), everybody.end(), 0);
    return last_of(play_messages(system, AstraNetwork::unaware, plan, everybody));
}

/// Ticks of a message to the next member, and of the one from the last member back to the first of the
/// dimension.
struct Steps {
    Ticks on{0};
    Ticks back{0};
};

/// Neighbours in the ring always differ in the group's innermost dimension; no other dimension is charged.
Steps steps_of(const AstraSystem& system, const AstraGroup& group, std::int64_t bytes) {
    const AstraDimension& dimension = system.all_dimensions[group.innermost];
    const auto ticks = [&](std::int64_t from, std::int64_t to) {
        return AstraSystem::delay(dimension, AstraSystem::hops(dimension, from, to), bytes);
    };
    return {ticks(0, group.stride), ticks((group.along - 1) * group.stride, 0)};
}

}  // namespace

Ticks AstraCollectiveTicks::all(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes) {
    const AstraPlan plan = plan_all(system, kind, bytes);
    if (const auto ticks = closed(system, plan)) return *ticks;
    return play_all(system, plan);
}

std::optional<Ticks> AstraCollectiveTicks::closed(const AstraSystem& system, CollectiveKind kind,
                                                  std::int64_t bytes) {
    return closed(system, plan_all(system, kind, bytes));
}

std::optional<Ticks> AstraCollectiveTicks::closed(const AstraSystem& system, const AstraPlan& plan) {
    if (plan.phase_count == 0) return 0;
    for (std::size_t i = 0; i < plan.phase_count; ++i) {
        const auto ticks = lockstep_ticks(system, plan.all_phases[i]);
        if (!ticks) return std::nullopt;
        phase_ticks_[i] = *ticks;
    }
    return queues_.play(plan, phase_ticks_, system.active_chunks);
}

bool AstraCollectiveTicks::is_closed_in_any_order(const AstraSystem& system, const AstraPlan& plan) {
    const auto returns_results = [&](const AstraPhase& phase) {
        return phase.kind == CollectiveKind::all_reduce &&
               phase.algorithm.algorithm == hardware::Algorithm::direct &&
               system.all_dimensions[phase.dimension].kind == hardware::DimensionKind::ring;
    };
    return closed(system, plan).has_value() && !queues_.had_ties() &&
           std::ranges::none_of(plan.phases(), returns_results);
}

Ticks AstraCollectiveTicks::group(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes,
                                  std::span<const std::int64_t> members) {
    const AstraPlan plan = plan_group(system, kind, bytes, static_cast<std::int64_t>(members.size()));
    const AstraPhase& phase = plan.all_phases[0];
    if (phase.algorithm.algorithm != hardware::Algorithm::ring) {
        return last_of(play_messages(system, AstraNetwork::unaware, plan, members));
    }
    link_ticks_.resize(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::int64_t next = members[(i + 1) % members.size()];
        link_ticks_[i] = system.delay(members[i], next, message_bytes(phase));
    }
    return ring_of_group(system, plan);
}

std::optional<Ticks> AstraCollectiveTicks::group(const AstraSystem& system, CollectiveKind kind,
                                                 std::int64_t bytes, const AstraGroup& group) {
    const AstraPlan plan = plan_group(system, kind, bytes, group.members);
    const AstraPhase& phase = plan.all_phases[0];
    if (phase.algorithm.algorithm != hardware::Algorithm::ring) {
        const auto ticks = lockstep_ticks(system, phase);
        if (!ticks) return std::nullopt;
        return queues_.play(plan, {&*ticks, 1}, system.active_chunks);
    }
    const Steps steps = steps_of(system, group, message_bytes(phase));
    const bool alike = steps.on == steps.back;
    link_ticks_.assign(alike ? 1 : static_cast<std::size_t>(group.along), steps.on);
    link_ticks_.back() = steps.back;
    return ring_of_group(system, plan);
}

Ticks AstraCollectiveTicks::shift(const AstraSystem& system, std::int64_t bytes, const AstraGroup& group) {
    const Steps steps = steps_of(system, group, bytes);
    return std::max(steps.on, steps.back);
}

/// Links of a group's ring may differ. A member starts a step when its previous step is complete and its
/// predecessor's message has arrived, so the critical path to a member's last step runs backwards through the
/// ring, one link per step. This also holds over several rounds of chunks, since a member starts its next
/// chunk when it has finished the previous one.
Ticks AstraCollectiveTicks::ring_of_group(const AstraSystem& system, const AstraPlan& plan) {
    const AstraPhase& phase = plan.all_phases[0];
    const std::int64_t rounds = (plan.chunks + system.active_chunks - 1) / system.active_chunks;
    const std::int64_t steps = ring_messages(phase);
    const Ticks reduction =
        reduces(phase.kind) ? (phase.nodes - 1) * system.reduction(message_bytes(phase)) : 0;
    const Ticks fixed = phase.endpoint_delay * (steps + 1) + reduction;

    const std::size_t period = link_ticks_.size();
    const std::int64_t links = rounds * steps;
    const std::int64_t around = links / static_cast<std::int64_t>(period);
    const auto rest = static_cast<std::size_t>(links % static_cast<std::int64_t>(period));
    Ticks all = 0;
    Ticks window = 0;  // sum of the last `rest` links so far
    for (std::size_t i = 0; i < period; ++i) {
        all += link_ticks_[i];
        if (i < rest) window += link_ticks_[i];
    }
    Ticks longest = window;
    for (std::size_t i = 0; i < period; ++i) {
        window += link_ticks_[(i + rest) % period] - link_ticks_[i];
        longest = std::max(longest, window);
    }
    return rounds * fixed + around * all + longest;
}

}  // namespace dse::netsim
