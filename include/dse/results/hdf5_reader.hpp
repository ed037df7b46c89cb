#pragma once

#include <filesystem>

#include "dse/results/table.hpp"
#include "dse/results/trust.hpp"

namespace dse::results {

/// All rows of a finished results file, for tests and for files that are known to be small: see
/// ResultsReader. \throws InputError as ResultsReader
Table read_results(const std::filesystem::path& file, Trust trust = Trust::sealed);

/// What a running or stopped sweep has on disk so far: the shards of `file` and `file` itself, if they
/// are there; every point once. \throws InputError when there is neither
Table read_so_far(const std::filesystem::path& file, Trust trust = Trust::sealed);

}  // namespace dse::results
