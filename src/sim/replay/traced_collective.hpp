#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/graph/work.hpp"
#include "dse/trace/chakra/trace.hpp"

namespace dse::sim::replay {

/// A collective of a trace in the terms of network models.
struct TracedCollective {
    graph::CollectiveKind kind{};
    Bytes size;  ///< as in graph::Collective
};

/// A barrier is an all-reduce of one word.
/// \param size     as in traces: for an all-gather, the contribution of one rank
/// \param members  of its group
/// \throws ModelError for a kind that no network model has
TracedCollective traced_collective(trace::chakra::CommType type, std::int64_t size, std::int64_t members);

}  // namespace dse::sim::replay
