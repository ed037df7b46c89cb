#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Total of the collectives of one kind, counted as often as they run.
struct CollectiveTotal {
    Opcode kind{Opcode::all_reduce};  ///< all_reduce also for all_reduce_start
    double count{0};
    double bytes{0};  ///< of their operands, per device
    double sent{0};   ///< bytes sent per device with ring algorithms; for permutations, everything that the
                      ///< source of a pair sends
};

/// Contents and costs of a program, per device.
struct ProgramCost {
    Cost once;      ///< loops counted once, XLA's rule
    Cost by_trips;  ///< loops counted by their iterations
    std::vector<CollectiveTotal> collectives;
    /// Number of operations by their name in the file, each counted once, whether its computation is called
    /// or not; operations added by the reader are not counted.
    std::map<std::string, std::int64_t> operators;
    /// Foreign calls and unknown operators that no cost rule covers; their cost is taken as zero.
    std::map<std::string, std::int64_t> unknown;
    std::int64_t endless_loops{0};  ///< loops with an unknown trip count; they are counted once
};

/// \throws InputError if calls are nested too deeply
ProgramCost program_cost(const Program& program, const ForeignCosts& foreign = {});

}  // namespace dse::ir
