#pragma once

#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "graph_reader.hpp"

namespace dse::ir::fx {

/// An entry that runs the graphs one after another. A backward graph (it has arguments `tangents_…`) gets
/// what the nearest graph before it kept for it: results that are called as its arguments. All other
/// arguments are the entry's own; all results that no graph takes are its results.
ComputationId join(const std::vector<Graph>& graphs, ProgramBuilder& builder);

}  // namespace dse::ir::fx
