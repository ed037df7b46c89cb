#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::netsim::flow {

/// Members of a group that work together along one level: along a dimension, in a domain, across domains.
struct Level {
    std::int64_t members{1};  ///< >= 2
    hardware::DimensionKind kind{hardware::DimensionKind::switched};
    /// Of a ring: whether the members go all the way round; else they are an open line.
    bool closed{false};
    hardware::Algorithm algorithm{hardware::Algorithm::automatic};
};

/// What one member sends to another in one phase: so many messages one behind the other, each of which pays
/// the way's latency. Members are counted along the innermost level first.
struct Send {
    std::uint32_t from;
    std::uint32_t to;
    double share;     ///< of the collective's size, all messages together
    double messages;  ///< >= 1
};

/// A collective as phases of messages that are under way at once; a phase begins when the one before it has
/// ended in the whole group.
using Phase = std::vector<Send>;
struct CollectivePlan {
    std::vector<Phase> phases;
    std::int64_t members{1};
    /// Whether its levels can work on different parts at the same time.
    bool pipelines{false};
};

/// Steps of a ring make one phase, as they have equal messages on equal ways: n − 1 of 1/n of the vector.
/// Rings and meshes: as dimension_cost() has it (both ways round a closed ring, a folded ring on a line).
/// Direct all-to-all is between all members at once, whatever the levels; everything else goes level by level
/// like BlueConnect (Cho et al. 2019).
/// \param levels  innermost first; at least one
/// \throws ModelError for algorithms without such phases, and where there are more than 2^24 messages
CollectivePlan plan_collective(graph::CollectiveKind kind, std::span<const Level> levels);

/// One message from the first of two members to the other.
CollectivePlan plan_message();

}  // namespace dse::netsim::flow
