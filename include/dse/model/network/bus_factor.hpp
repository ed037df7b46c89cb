#pragma once

#include <cstdint>

#include "dse/graph/work.hpp"

namespace dse::model {

/// What makes the bus bandwidth of a collective out of its algorithm bandwidth: the bytes that each rank has
/// to send at least, over the full buffer. \param ranks  >= 1. Source: nccl-tests, doc/PERFORMANCE.md.
double bus_factor(graph::CollectiveKind kind, std::int64_t ranks);

}  // namespace dse::model
