#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "dse/results/trust.hpp"

namespace dse::results {

/// Summary of a merge.
struct MergeSummary {
    std::uint64_t rows{0};          ///< in the finished file
    std::uint64_t failures{0};      ///< rows whose evaluation failed or timed out
    std::uint64_t duplicates{0};    ///< rows of points that already had a row
    std::uint64_t invalid_rows{0};  ///< torn or damaged records, which were omitted
    std::uint64_t covered{0};       ///< indices of the space that the file settles, dropped ones included
};

/// Merges finished files of one sweep, such as the parts of a job array.
/// A point that occurs in several of them must have the same result in each, bit for bit, except that failed
/// and timed-out evaluations are replaced by other results. \throws InputError for files of different sweeps,
/// naming the differences, for files that disagree about a
///         point, and for an output that exists, that a sweep is writing, or that cannot be written
MergeSummary merge_files(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output,
                         Trust trust = Trust::sealed);

}  // namespace dse::results
