#pragma once

#include <filesystem>

#include "dse/results/table.hpp"
#include "dse/results/trust.hpp"

namespace dse::results {

/// Reads all rows of a finished results file, for tests and for small files; see ResultsReader.
/// \throws InputError like ResultsReader
Table read_results(const std::filesystem::path& file, Trust trust = Trust::sealed);

/// Reads what a running or stopped sweep has on disk so far: the shards of `file`, and `file` itself if it
/// exists; every point once.
/// \throws InputError if there is neither
Table read_so_far(const std::filesystem::path& file, Trust trust = Trust::sealed);

}  // namespace dse::results
