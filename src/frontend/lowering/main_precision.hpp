#pragma once

#include <optional>

#include "dse/graph/graph.hpp"
#include "dse/graph/precision.hpp"

namespace dse::frontend {

/// The format in which most FLOPs of a lowered program's products and attention run, those of loops as often
/// as they run: what MFU is best taken of. \return none where the program has no products \pre the graph is
/// one of lower(): one stage, one pass
std::optional<graph::Precision> main_precision(const graph::Graph& graph);

}  // namespace dse::frontend
