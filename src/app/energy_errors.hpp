#pragma once

#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/validation/validate_energy.hpp"

namespace dse::app {

/// Adds measured power with predictions: `rows`, three per server, and `summary`.
void add_energies(const std::vector<eval::EnergyComparison>& comparisons, Json& json);

/// Prints the same as text. \param rows  whether to print each server
void print_energies(const std::vector<eval::EnergyComparison>& comparisons, bool rows);

}  // namespace dse::app
