#pragma once

#include <string>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::results {

/// The axes of a table that change nothing: there are rows that differ in this axis alone, and all of them
/// have equal status and metrics. A swept field that no model reads, or that only matters beside others that
/// the sweep leaves out. An axis without such rows (of a sampler that draws, or tied to others by `require`)
/// is not among them.
std::vector<std::string> idle_axes(const Table& table);

}  // namespace dse::results
