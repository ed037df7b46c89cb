#pragma once

#include <string>

#include "dse/config/node.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"

namespace dse::ir {

/// Adds a user's table, whose rows go before the built-in ones: target → {flops: expression, bytes:
/// expression}, the names as in ForeignFormula; bytes left out: all operands and results.
/// Every error goes to the diagnostics.
void read_foreign_costs(const config::Node& table, ForeignCosts& costs, config::Diagnostics& diagnostics);

/// The same from a file. \throws InputError with every error of the file
ForeignCosts foreign_costs_of(const std::string& file);

}  // namespace dse::ir
