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
    double launches{1.0};  ///< of the host, a kernel; 0 where a captured graph is launched at once
    graph::Queues queues{graph::Queues::communicator};  ///< of communication beside kernels
    graph::Fp32Products fp32_products{graph::Fp32Products::automatic};
};

/// A program as a graph, and what had to be assumed.
struct Lowered {
    graph::Graph graph;
    std::map<std::string, double> unknown;  ///< operations that no rule costs, by name: how many there are
    double loops_without_count{0};          ///< taken to run once
};

/// The graph of a per-device program: one stage, one pass.
///
/// A loop becomes a Repeat: values that cross its iterations, and that some other stream than their own waits
/// for, are ports. Calls are entered, of a conditional the branch with the most work is taken. Collectives
/// run on one stream a group of devices, or all communication on one (Queues), those that block among the
/// kernels (Operation::blocks); a value of a start is there when its transfer ends, and kernels behind the
/// done wait for it. A buffer lives from its operation to its last use, what an operation writes in place
/// (dynamic-update-slice, the state of a loop, an aliased result) has the buffer of what it replaces; the
/// arguments of the entry stay throughout.
///
/// \throws ModelError where the program is still to be partitioned, its groups are no axes of a grid, or a
/// loop carries more values than an engine takes
Lowered lower(const ir::Program& program, const LoweringOptions& options,
              const ir::ForeignCosts& foreign = {});

}  // namespace dse::frontend
