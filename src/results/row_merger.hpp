#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "dse/results/merge.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// Writes the rows of all sources, ascending by point id and each point once, into one finished file.
/// Holds 16 bytes a row and a block of rows in memory, never all rows.
/// \pre the sources hold rows of the same sweep
/// \throws InputError when two sources disagree about a point, or the file cannot be written
MergeSummary merge_rows(const std::vector<std::unique_ptr<RowSource>>& sources, const Header& header,
                        const std::filesystem::path& path);

}  // namespace dse::results
