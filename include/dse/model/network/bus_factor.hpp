#pragma once

#include <cstdint>

#include "dse/graph/work.hpp"

namespace dse::model {

/// Ratio of bus bandwidth to algorithm bandwidth of a collective: the minimum number of bytes that each rank
/// must send, relative to the full buffer.
/// \param ranks  >= 1.
/// Source: nccl-tests, doc/PERFORMANCE.md.
double bus_factor(graph::CollectiveKind kind, std::int64_t ranks);

}  // namespace dse::model
