#pragma once

#include <filesystem>
#include <memory>

#include "results/row_source.hpp"

namespace dse::results {

/// The rows of all sources, sorted in stretches as long as memory allows: one source of few runs. It lies in
/// a file without a name, which is gone with the process. Rows of one point keep the order of their sources.
/// \param sources  of the same sweep, not empty
/// \param folder  where the file takes its room
std::unique_ptr<RowSource> sorted_rows(const Sources& sources, const std::filesystem::path& folder);

}  // namespace dse::results
