#pragma once

#include <filesystem>

#include "dse/results/table.hpp"

namespace dse::results {

/// Reads a finished results file.
/// \throws InputError for what is no HDF5 file, no file of dse, truncated, damaged, or of another major
/// version
Table read_results(const std::filesystem::path& file);

/// Reads what a running or stopped sweep has on disk so far: the shards of `file` and `file` itself, if they
/// are there; every point once. \throws InputError when there is neither
Table read_so_far(const std::filesystem::path& file);

}  // namespace dse::results
