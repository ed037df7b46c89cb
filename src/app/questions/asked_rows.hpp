#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/questions/masked_rows.hpp"
#include "app/questions/row_groups.hpp"
#include "app/questions/row_question.hpp"
#include "app/result_columns.hpp"
#include "app/shifted_bars.hpp"
#include "app/short_runs.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {

/// The rows that a question is about, in the groups of --by, and what is known of its file afterwards.
class AskedRows {
  public:
    /// \throws InputError if the file cannot be read, or has no axis of --by
    explicit AskedRows(const RowQuestion& question);

    /// Says on stderr that the file is not sealed, or that rows are missing.
    void warn();

    /// Visits the rows of each group, block by block, with a status that is not `ok` where they violate a
    /// condition.
    void each(const RowGroups::Visitor& visit);

    /// A table without rows.
    [[nodiscard]] const results::Table& columns() const { return reader_.columns(); }
    /// Axes that group the rows, as indices into schema.points.
    [[nodiscard]] const std::vector<std::size_t>& by() const { return groups_.columns(); }
    /// Their names, as in "tp,pp".
    [[nodiscard]] std::string by_text() const;
    /// One of the groups, as in "tp=8 pp=4".
    [[nodiscard]] std::string group_text(const RowGroups::Values& values) const;

    /// Number of rows, whatever the conditions.
    [[nodiscard]] std::uint64_t points() const { return points_; }
    /// Axes that vary in the whole file.
    [[nodiscard]] std::vector<std::size_t> varied() const { return varied_.axes(); }
    /// What to know of metrics of the rows, a line each.
    [[nodiscard]] std::string remarks() const { return short_runs_.text() + shifted_bars_.text(); }

  private:
    std::string file_;
    results::ResultsReader reader_;
    RowGroups groups_;
    MaskedRows rows_where_;
    VariedAxes varied_;
    std::uint64_t points_{0};
    ShortRuns short_runs_;
    ShiftedBars shifted_bars_;
};

}  // namespace dse::app
