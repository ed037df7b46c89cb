#pragma once

#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "graph_reader.hpp"

namespace dse::ir::fx {

/// Creates an entry that runs the graphs one after another. A backward graph (with arguments `tangents_…`)
/// gets what the nearest earlier graph saved for it: results with the same names as its arguments. All other
/// arguments are arguments of the entry; all results that no graph uses are its results.
ComputationId join(const std::vector<Graph>& graphs, ProgramBuilder& builder);

}  // namespace dse::ir::fx
