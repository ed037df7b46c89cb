#pragma once

#include <cstddef>
#include <filesystem>

#include "dse/results/table.hpp"
#include "results/merged_rows.hpp"

namespace dse::results {

/// A table without rows.
Table empty_table(const Header& header);

/// Rows of sources as columns, one block at a time.
class RowBlocks {
  public:
    /// Parameters as for MergedRows.
    RowBlocks(const Sources& sources, const std::filesystem::path& spill) : rows_{sources, spill} {}

    /// Replaces the content of `block` by the next rows, at most `most` of them.
    /// \return false if there are none left
    bool next(Table& block, std::size_t most);

    [[nodiscard]] std::uint64_t duplicates() const { return rows_.duplicates(); }

  private:
    MergedRows rows_;
};

}  // namespace dse::results
