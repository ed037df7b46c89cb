#include "sim/replay/solved_collective.hpp"

#include <algorithm>

#include "dse/netsim/astra/ring_ends.hpp"

namespace dse::sim::replay {
namespace {

using netsim::AstraPhase;
using netsim::AstraPlan;
using netsim::Ticks;

bool is_ring(const AstraPlan& plan) {
    return plan.phase_count == 1 && plan.all_phases[0].algorithm.algorithm == hardware::Algorithm::ring;
}

/// Whether the members of a phase count messages, whichever comes first. In a direct all-reduce, results are
/// sent on the first event after the last contribution; trees and windows pass messages on one by one.
bool counts_messages(const AstraPhase& phase) {
    switch (phase.algorithm.algorithm) {
        case hardware::Algorithm::ring:
        case hardware::Algorithm::halving_doubling:
            return true;
        case hardware::Algorithm::direct:
            return phase.kind != graph::CollectiveKind::all_reduce &&
                   (phase.algorithm.window == 0 || phase.algorithm.window >= phase.nodes - 1);
        case hardware::Algorithm::double_binary_tree:
        case hardware::Algorithm::automatic:
            break;
    }
    return false;
}

bool is_together(const netsim::AstraStart& start) {
    return std::ranges::count(start.members, 0) == std::ssize(start.members);
}

}  // namespace

bool SolvedCollective::is_certain(const AstraPlan& plan, const netsim::AstraStart& start) {
    // Chunks of one phase follow one another in the order of their numbers; those of several may overtake one
    // another, at one member and not at another.
    const bool keeps_order = plan.chunks == 1 || plan.phase_count == 1;
    return (keeps_order && std::ranges::all_of(plan.phases(), counts_messages)) ||
           (is_together(start) && ticks_.is_closed_in_any_order(system_, plan));
}

Ticks SolvedCollective::in_step(const AstraPlan& plan, netsim::AstraHops link) {
    if (!plan.all_phases[0].of_group || !is_ring(plan)) {
        const auto ticks = ticks_.closed(system_, plan);
        DSE_REQUIRE(ticks.has_value());
        return *ticks;
    }
    const Ticks delay = netsim::AstraSystem::delay(system_.all_dimensions[link.dimension], link.links,
                                                   message_bytes(plan.all_phases[0]));
    const Ticks now = 0;
    return ring_ends(system_, plan, {&delay, 1}, {&now, 1})[0];
}

std::vector<Ticks> SolvedCollective::ends(const AstraPlan& plan, std::span<const std::int64_t> members,
                                          const netsim::AstraStart& start) {
    if (is_together(start)) {
        if (const auto ticks = ticks_.closed(system_, plan))
            return std::vector<Ticks>(members.size(), *ticks);
    }
    if (!is_ring(plan)) return play_messages(system_, netsim::AstraNetwork::unaware, plan, members, start);
    std::vector<Ticks> links;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::int64_t next = members[(i + 1) % members.size()];
        links.push_back(system_.delay(members[i], next, message_bytes(plan.all_phases[0])));
    }
    return ring_ends(system_, plan, links, start.members);
}

Ticks SolvedCollective::handling(const AstraPlan& plan) const {
    const AstraPhase& last = plan.all_phases[plan.phase_count - 1];
    if (last.kind == graph::CollectiveKind::reduce_scatter) {
        const Ticks sum = system_.reduction(message_bytes(last));
        if (sum > 0) return sum;
    }
    return last.endpoint_delay;
}

std::vector<std::int64_t> block_of(const AstraPlan& plan, std::int64_t rank) {
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> ranks{rank};
    for (const AstraPhase& phase : plan.phases()) {
        if (std::ranges::count(strides, phase.stride) > 0) continue;
        strides.push_back(phase.stride);
        const std::int64_t own = rank / phase.stride % phase.nodes * phase.stride;
        const std::vector<std::int64_t> inner{ranks};
        ranks.clear();
        for (std::int64_t i = 0; i < phase.nodes; ++i) {
            for (const std::int64_t each : inner) ranks.push_back(each - own + i * phase.stride);
        }
    }
    return ranks;
}

}  // namespace dse::sim::replay
