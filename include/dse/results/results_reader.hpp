#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "dse/results/table.hpp"
#include "dse/results/trust.hpp"

namespace dse::results {

/// Reads results block by block, in memory that does not grow with the number of rows.
class ResultsReader {
  public:
    /// Rows to read.
    enum class Extent : std::uint8_t {
        finished,  ///< those of a finished file
        so_far,    ///< also those in the shards of a running or stopped sweep
    };

    /// \throws InputError if the file is not an HDF5 file or not a file of dse, is truncated or damaged, or
    ///         has a major version other than this one or the previous one
    ResultsReader(const std::filesystem::path& file, Extent extent, Trust trust = Trust::sealed);
    ~ResultsReader();
    ResultsReader(ResultsReader&&) noexcept;
    ResultsReader& operator=(ResultsReader&&) = delete;

    /// A table without rows, with the columns of the file.
    [[nodiscard]] const Table& columns() const;

    /// Number of indices of the space that the rows settle, including those that `require` drops.
    [[nodiscard]] std::uint64_t settled();

    /// Replaces the rows in `block` by the next ones, ascending by point id, each point once.
    /// \param block  a copy of columns(), possibly filled by an earlier call
    /// \return false if none are left
    /// \throws InputError if the file cannot be read
    bool next(Table& block);

    /// Calls `visit` with all remaining blocks.
    void each(const BlockVisitor& visit);

  private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace dse::results
