#pragma once

#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/validation/validate_energy.hpp"

namespace dse::app {

/// Adds measured power with predictions: `rows`, three per server, and `summary`.
void add_energies(const std::vector<eval::EnergyComparison>& comparisons, Json& json);

/// Prints each server as a row of a table.
void print_energy_rows(const std::vector<eval::EnergyComparison>& comparisons);

/// Prints the summaries as text.
void print_energies(const std::vector<eval::EnergyComparison>& comparisons);

}  // namespace dse::app
