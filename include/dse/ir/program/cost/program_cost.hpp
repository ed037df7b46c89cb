#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// The collectives of one kind, as often as they run.
struct CollectiveTotal {
    Opcode kind{Opcode::all_reduce};  ///< all_reduce for all_reduce_start too
    double count{0};
    double bytes{0};  ///< of their operands, on one device
    double sent{0};   ///< bytes that one device sends, by rings; by pairs all that a pair's source sends
};

/// What a program holds and takes, on one device.
struct ProgramCost {
    Cost once;      ///< loops once, XLA's rule
    Cost by_trips;  ///< loops as often as they run
    std::vector<CollectiveTotal> collectives;
    /// Operations by their names in the file, each once, whether anybody calls their computation or not;
    /// what the reader added counts nowhere.
    std::map<std::string, std::int64_t> operators;
    /// Foreign calls, and operators that are known by name only, that no rule is known of: they count as
    /// nothing.
    std::map<std::string, std::int64_t> unknown;
    std::int64_t endless_loops{0};  ///< loops whose trip count is unknown; they count once
};

/// \throws InputError where calls are nested too deeply
ProgramCost program_cost(const Program& program, const ForeignCosts& foreign = {});

}  // namespace dse::ir
