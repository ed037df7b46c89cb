#pragma once

#include <optional>

#include "dse/graph/graph.hpp"
#include "dse/graph/precision.hpp"

namespace dse::frontend {

/// The precision of most FLOPs in matrix products and attention of a lowered program, with loops counted as
/// often as they run. It is the most suitable reference for MFU.
/// \return none if the program has no matrix products
/// \pre the graph is a result of lower(): one stage, one pass
std::optional<graph::Precision> main_precision(const graph::Graph& graph);

}  // namespace dse::frontend
