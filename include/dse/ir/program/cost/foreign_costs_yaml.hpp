#pragma once

#include <string>

#include "dse/config/node.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"

namespace dse::ir {

/// Adds a user's table, whose rows take precedence over the built-in ones: target → {flops: expression,
/// bytes: expression}, with the names of ForeignFormula. If bytes are omitted, they are those of all operands
/// and results.
/// All errors are reported to the diagnostics.
void read_foreign_costs(const config::Node& table, ForeignCosts& costs, config::Diagnostics& diagnostics);

/// Reads such a table from a file. \throws InputError with all errors of the file
ForeignCosts foreign_costs_of(const std::string& file);

}  // namespace dse::ir
