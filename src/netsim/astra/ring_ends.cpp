#include "dse/netsim/astra/ring_ends.hpp"

#include <algorithm>
#include <utility>

namespace dse::netsim {
namespace {

/// Whether the n-th message that a member makes ready carries a partial sum: in each cycle, all messages
/// after the first do; for all-reduce, only in the reduce-scatter half.
bool is_sum(const AstraPhase& phase, std::int64_t message) {
    if (!reduces(phase.kind) || message % phase.nodes == 0) return false;
    return phase.kind == graph::CollectiveKind::reduce_scatter || message / phase.nodes % 2 == 0;
}

}  // namespace

std::vector<Ticks> ring_ends(const AstraSystem& system, const AstraPlan& plan, std::span<const Ticks> links,
                             std::span<const Ticks> starts) {
    DSE_EXPECT(plan.phase_count == 1 && links.size() == starts.size() && !links.empty());
    const AstraPhase& phase = plan.all_phases[0];
    DSE_EXPECT(phase.algorithm.algorithm == hardware::Algorithm::ring);
    const std::int64_t rounds = (plan.chunks + system.active_chunks - 1) / system.active_chunks;
    const std::int64_t messages = ring_messages(phase);
    const Ticks sum = system.reduction(message_bytes(phase));
    std::vector<Ticks> ready{starts.begin(), starts.end()};
    std::vector<Ticks> next(ready.size());
    const std::size_t last = ready.size() - 1;
    for (std::int64_t round = 0; round < rounds; ++round) {
        for (Ticks& own : ready) own += phase.endpoint_delay;
        for (std::int64_t message = 1; message <= messages; ++message) {
            const Ticks handling = phase.endpoint_delay + (is_sum(phase, message) ? sum : 0);
            next[0] = std::max(ready[0], ready[last] + links[last]) + handling;
            for (std::size_t i = 1; i <= last; ++i) {
                next[i] = std::max(ready[i], ready[i - 1] + links[i - 1]) + handling;
            }
            std::swap(ready, next);
        }
    }
    return ready;
}

}  // namespace dse::netsim
