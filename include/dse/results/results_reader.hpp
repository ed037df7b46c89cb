#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "dse/results/table.hpp"
#include "dse/results/trust.hpp"

namespace dse::results {

/// Reads results a block at a time: as many rows as there may be, memory stays the same.
class ResultsReader {
  public:
    /// Which rows are read.
    enum class Extent : std::uint8_t {
        finished,  ///< those of a finished file
        so_far,    ///< what a running or stopped sweep has on disk besides: its shards
    };

    /// \throws InputError for what is no HDF5 file, no file of dse, truncated, damaged, or of a major version
    ///         that is neither this dse's nor the one before
    ResultsReader(const std::filesystem::path& file, Extent extent, Trust trust = Trust::sealed);
    ~ResultsReader();
    ResultsReader(ResultsReader&&) noexcept;
    ResultsReader& operator=(ResultsReader&&) = delete;

    /// A table without rows, with the columns of the file.
    [[nodiscard]] const Table& columns() const;

    /// Takes the place of the rows in `block` with the next ones, ascending by point id, each point once.
    /// \param block  a copy of columns(), or what an earlier call left in one
    /// \return false where none are left
    /// \throws InputError when the file cannot be read
    bool next(Table& block);

    /// Calls `visit` with all blocks that are left.
    void each(const BlockVisitor& visit);

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace dse::results
