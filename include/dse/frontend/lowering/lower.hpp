#pragma once

#include <map>
#include <string>

#include "dse/graph/compiler_passes.hpp"
#include "dse/graph/graph.hpp"
#include "dse/graph/software_stack.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::frontend {

struct LoweringOptions {
    double launches{1.0};  ///< host launches per kernel; 0 if kernels are replayed from a captured graph
    graph::Queues queues{graph::Queues::communicator};  ///< how communication beside kernels is serialized
    graph::Fp32Products fp32_products{graph::Fp32Products::automatic};
};

/// A program as a graph, and the assumptions that were made.
struct Lowered {
    graph::Graph graph;
    std::map<std::string, double> unknown;  ///< number of operations without a cost rule, by name
    double loops_without_count{0};          ///< number of loops that are assumed to run once
};

/// The graph of a per-device program: one stage, one pass.
///
/// A loop becomes a Repeat whose ports are the values that cross its iterations and that a stream other than
/// their own waits for. Calls are inlined; of a conditional, the branch with the most work is taken.
/// Collectives run on one stream per group of devices, or all communication runs on one stream (Queues);
/// collectives that block (Operation::blocks) run on the stream of the kernels. The value of a start is ready
/// when its transfer ends, and kernels after the done wait for it. A buffer is allocated by its operation and
/// freed after its last use; in-place results (dynamic-update-slice, the state of a loop, an aliased result)
/// reuse the buffer that they overwrite. The arguments of the entry computation are always allocated.
///
/// \throws ModelError if the program is not partitioned yet, its groups are not axes of a grid, or a loop
/// carries more values than an engine supports
Lowered lower(const ir::Program& program, const LoweringOptions& options,
              const ir::ForeignCosts& foreign = {});

}  // namespace dse::frontend
