#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/hardware/network/dimension_spec.hpp"

namespace dse::netsim::flow {

/// The members of a group along one level: a dimension, within a domain, or across domains.
struct Level {
    std::int64_t members{1};  ///< >= 2
    hardware::DimensionKind kind{hardware::DimensionKind::switched};
    /// For a ring: whether the members form a closed ring; otherwise an open line.
    bool closed{false};
    hardware::Algorithm algorithm{hardware::Algorithm::automatic};
};

/// Messages that one member sends to another in one phase, one after the other, each with the latency of the
/// path. Members are numbered along the innermost level first.
struct Send {
    std::uint32_t from;
    std::uint32_t to;
    double share;     ///< share of the collective's size, all messages together
    double messages;  ///< number of messages, >= 1
};

/// A phase of a collective: messages that are sent concurrently. A phase starts when the previous one has
/// ended in the whole group.
using Phase = std::vector<Send>;
struct CollectivePlan {
    std::vector<Phase> phases;
    std::int64_t members{1};
    /// Whether its levels can process different parts at the same time.
    bool pipelines{false};
};

/// Plans a collective. The steps of a ring form one phase, since they have equal messages on equal paths: n −
/// 1 of 1/n of the vector each. Rings and meshes are treated as in dimension_cost() (both directions of a
/// closed ring, a folded ring on a line). Direct all-to-all is between all members at once, regardless of
/// levels; all other collectives proceed level by level as in BlueConnect (Cho et al. 2019).
/// \param levels  innermost first; at least one
/// \throws ModelError for algorithms without such phases, and for more than 2^24 messages
CollectivePlan plan_collective(graph::CollectiveKind kind, std::span<const Level> levels);

/// One message from the first of two members to the other.
CollectivePlan plan_message();

}  // namespace dse::netsim::flow
