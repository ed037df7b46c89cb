#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "dse/results/trust.hpp"

namespace dse::results {

/// What merging did.
struct MergeSummary {
    std::uint64_t rows{0};          ///< in the finished file
    std::uint64_t failures{0};      ///< of these rows, those whose evaluation broke or ran out of time
    std::uint64_t duplicates{0};    ///< rows of a point that another row stands for
    std::uint64_t invalid_rows{0};  ///< records that were torn or damaged, and left out
    std::uint64_t covered{0};       ///< indices of the space that the file settles, dropped ones included
};

/// Puts finished files of one sweep together, the parts of a job array for one.
/// A point that stands in several of them must have the same answer in each, bit for bit; only where an
/// evaluation broke or ran out of time does another answer take its place. \throws InputError for files of
/// different sweeps, saying what differs, for files that disagree about a point,
///         and for an output that exists or cannot be written
MergeSummary merge_files(std::span<const std::filesystem::path> inputs, const std::filesystem::path& output,
                         Trust trust = Trust::sealed);

}  // namespace dse::results
