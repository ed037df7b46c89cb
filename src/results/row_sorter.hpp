#pragma once

#include <filesystem>
#include <memory>

#include "results/row_source.hpp"

namespace dse::results {

/// The rows of all sources, sorted in runs as long as memory allows: one source with few runs, in an
/// anonymous temporary file. Rows of the same point keep the order of their sources.
/// \param sources  of the same sweep, not empty
/// \param folder   the file system that the file uses
std::unique_ptr<RowSource> sorted_rows(const Sources& sources, const std::filesystem::path& folder);

}  // namespace dse::results
