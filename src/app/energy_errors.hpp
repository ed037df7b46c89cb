#pragma once

#include <vector>

#include "app/json_output.hpp"
#include "dse/eval/validation/validate_energy.hpp"

namespace dse::app {

/// Measured power beside predictions: `rows`, three a server, and `summary`.
void add_energies(const std::vector<eval::EnergyComparison>& comparisons, Json& json);

/// For people. \param rows  whether each server is printed
void print_energies(const std::vector<eval::EnergyComparison>& comparisons, bool rows);

}  // namespace dse::app
