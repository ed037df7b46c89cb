#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

/// A rank of a job, and the start of its profile on the clock common to all ranks, in ns.
struct ReplayRank {
    const ReplayGraph* graph{nullptr};
    std::int64_t zero{0};
};

/// Replays all ranks of a job together. A collective starts when its last member is ready and takes the time
/// of the member that waited least, so that waiting for other ranks is simulated rather than copied from the
/// recording. The n-th collective of a group on one rank is the n-th of that group on all ranks that use it.
/// \return by rank: end of its last node, in ns after the rank's own zero
/// \throws ModelError if ranks have different numbers of collectives in a group, or wait for each other
std::vector<std::int64_t> replay_together(std::span<const ReplayRank> ranks);

}  // namespace dse::trace::kineto
