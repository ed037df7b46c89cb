#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "results/header.hpp"
#include "results/row.hpp"

namespace dse::results {

/// What of a source can be believed.
struct Scan {
    std::uint64_t rows{0};          ///< whole ones; a point may have several
    std::uint64_t failures{0};      ///< of these, those whose evaluation broke or ran out of time
    std::uint64_t lost{0};          ///< records that are torn or damaged
    IntervalSet covered;            ///< indices that need no second look
    std::size_t longest_reason{0};  ///< of the texts in the column of reasons, bytes
    std::size_t runs{0};            ///< stretches of the file in which point ids ascend
};

/// Rows that stand in a file, a shard or a finished one. Nothing of its size is held in memory.
class RowSource {
  public:
    RowSource() = default;
    RowSource(const RowSource&) = delete;
    RowSource& operator=(const RowSource&) = delete;
    virtual ~RowSource() = default;

    [[nodiscard]] virtual const std::string& path() const = 0;
    [[nodiscard]] virtual const Header& header() const = 0;

    /// Names of the machines that wrote the rows.
    [[nodiscard]] virtual const std::vector<std::string>& hosts() const = 0;

    /// Reads the file once, the first time.
    [[nodiscard]] virtual const Scan& scan() = 0;

    /// As scan() says; a finished file is one run, which needs no reading.
    [[nodiscard]] virtual std::size_t count_runs() = 0;

    /// One for each run of the file. They must not outlive the source.
    /// \param buffer  bytes that each may hold
    [[nodiscard]] virtual std::vector<std::unique_ptr<RowCursor>> runs(std::size_t buffer) = 0;

    /// All rows in the order of the file, points that stand several times included.
    [[nodiscard]] virtual std::unique_ptr<RowCursor> rows_as_written(std::size_t buffer) const = 0;
};

using Sources = std::vector<std::unique_ptr<RowSource>>;

}  // namespace dse::results
