#pragma once

#include <filesystem>
#include <functional>

#include "dse/results/merge.hpp"
#include "dse/results/table.hpp"
#include "results/row_source.hpp"

namespace dse::results {

/// Merges the rows of all sources, ascending by point id and each point once, into one finished file. Memory
/// does not grow with the rows.
/// \param watch  receives all rows written, in blocks; may be empty
/// \pre the sources hold rows of the same sweep
/// \throws InputError if two sources disagree about a point, or the file cannot be written
MergeSummary merge_rows(const Sources& sources, const Header& header, const std::filesystem::path& path,
                        const BlockVisitor& watch);

}  // namespace dse::results
