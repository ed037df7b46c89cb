#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/trace/kineto/replay_graph.hpp"

namespace dse::trace::kineto {

/// A rank of a job, and when its profile begins on the clock that all share, ns.
struct ReplayRank {
    const ReplayGraph* graph{nullptr};
    std::int64_t zero{0};
};

/// Plays all ranks of a job together: a collective starts when its last member is there and takes what it
/// took the member that waited least, so that waiting for others is played and not copied from the recording.
/// The n-th collective of a group on one rank is the n-th of that group on all that use it. \return by rank,
/// when its last node ends: ns after the rank's own zero \throws ModelError where ranks have different
/// numbers of collectives in a group, or wait for each other
std::vector<std::int64_t> replay_together(std::span<const ReplayRank> ranks);

}  // namespace dse::trace::kineto
