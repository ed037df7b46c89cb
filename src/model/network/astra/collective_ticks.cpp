#include "dse/model/network/astra/collective_ticks.hpp"

#include <algorithm>
#include <numeric>

#include "dse/model/network/astra/phase_time.hpp"
#include "dse/model/network/astra/player.hpp"

namespace dse::model {
namespace {

using workload::CollectiveKind;

Ticks last_of(const std::vector<Ticks>& ends) {
    return *std::ranges::max_element(ends);
}

Ticks play_all(const AstraSystem& system, const AstraPlan& plan) {
    std::vector<std::int64_t> everybody(static_cast<std::size_t>(system.npus()));
    std::iota(everybody.begin(), everybody.end(), 0);
    return last_of(play_messages(system, AstraNetwork::unaware, plan, everybody));
}

}  // namespace

Ticks AstraCollectiveTicks::all(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes) {
    const AstraPlan plan = plan_all(system, kind, bytes);
    if (plan.phase_count == 0) return 0;
    for (std::size_t i = 0; i < plan.phase_count; ++i) {
        const auto ticks = lockstep_ticks(system, plan.all_phases[i]);
        if (!ticks) return play_all(system, plan);
        phase_ticks_[i] = *ticks;
    }
    return queues_.play(plan, phase_ticks_, system.active_chunks);
}

Ticks AstraCollectiveTicks::group(const AstraSystem& system, CollectiveKind kind, std::int64_t bytes,
                                  std::span<const std::int64_t> members) {
    const AstraPlan plan = plan_group(system, kind, bytes, static_cast<std::int64_t>(members.size()));
    if (plan.all_phases[0].algorithm.algorithm == hardware::Algorithm::ring) {
        return ring_of_group(system, plan, members);
    }
    return last_of(play_messages(system, AstraNetwork::unaware, plan, members));
}

/// Links of a group's ring may differ. A member takes its next step when its own last one is done and the
/// message of its predecessor is there, so that the longest way to a member's last step leads backwards
/// through the ring, one link a step: over several rounds of chunks as well, since a member begins its next
/// chunk when it has ended the last one.
Ticks AstraCollectiveTicks::ring_of_group(const AstraSystem& system, const AstraPlan& plan,
                                          std::span<const std::int64_t> members) {
    const AstraPhase& phase = plan.all_phases[0];
    const std::int64_t bytes = message_bytes(phase);
    const auto nodes = static_cast<std::int64_t>(members.size());
    link_ticks_.resize(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        link_ticks_[i] = system.delay(members[i], members[(i + 1) % members.size()], bytes);
    }
    const std::int64_t rounds = (plan.chunks + system.active_chunks - 1) / system.active_chunks;
    const std::int64_t steps = ring_messages(phase);
    const Ticks reduction = reduces(phase.kind) ? (nodes - 1) * system.reduction(bytes) : 0;
    const Ticks fixed = phase.endpoint_delay * (steps + 1) + reduction;
    const std::int64_t links = rounds * steps;
    const Ticks around = std::accumulate(link_ticks_.begin(), link_ticks_.end(), Ticks{0});
    // The most that links % nodes neighbouring links take, over all places to begin.
    const auto rest = static_cast<std::size_t>(links % nodes);
    Ticks window = std::accumulate(link_ticks_.begin(),
                                   link_ticks_.begin() + static_cast<std::ptrdiff_t>(rest), Ticks{0});
    Ticks longest = window;
    for (std::size_t i = 0; i < members.size(); ++i) {
        window += link_ticks_[(i + rest) % members.size()] - link_ticks_[i];
        longest = std::max(longest, window);
    }
    return rounds * fixed + links / nodes * around + longest;
}

}  // namespace dse::model
