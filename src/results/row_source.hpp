#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dse/results/interval_set.hpp"
#include "results/header.hpp"
#include "results/row.hpp"

namespace dse::results {

/// The valid content of a source.
struct Scan {
    std::uint64_t rows{0};          ///< intact ones; a point may have several
    std::uint64_t failures{0};      ///< among these, those whose evaluation failed or timed out
    std::uint64_t lost{0};          ///< records that are torn or damaged
    IntervalSet covered;            ///< indices that are settled
    std::size_t longest_reason{0};  ///< of the texts in the column of reasons, bytes
    std::size_t runs{0};            ///< parts of the file with ascending point ids
};

/// Rows in a file: a shard or a finished file. Memory does not grow with its size.
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

    /// Reads the file once, on the first call.
    [[nodiscard]] virtual const Scan& scan() = 0;

    /// As in scan(); a finished file is a single run, which needs no reading.
    [[nodiscard]] virtual std::size_t count_runs() = 0;

    /// One cursor per run of the file. They must not outlive the source.
    /// \param buffer  bytes that each may hold
    [[nodiscard]] virtual std::vector<std::unique_ptr<RowCursor>> runs(std::size_t buffer) = 0;

    /// All rows in file order, including several rows of the same point.
    [[nodiscard]] virtual std::unique_ptr<RowCursor> rows_as_written(std::size_t buffer) const = 0;
};

using Sources = std::vector<std::unique_ptr<RowSource>>;

/// Indices that are settled in any of them.
inline IntervalSet covered_by(const Sources& sources) {
    std::vector<Interval> all;
    for (const auto& source : sources) {
        const std::vector<Interval>& found = source->scan().covered.intervals();
        all.insert(all.end(), found.begin(), found.end());
    }
    return IntervalSet{std::move(all)};
}

}  // namespace dse::results
