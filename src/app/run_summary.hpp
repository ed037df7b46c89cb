#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "app/common_reasons.hpp"
#include "app/json_output.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/search_progress.hpp"
#include "app/shifted_bars.hpp"
#include "app/short_runs.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/idle_axes.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// Summarizes the rows of a finished sweep: the number of points by status, the best row for each objective,
/// and the size of the front. Uses as much memory as the front.
class RunSummary {
  public:
    /// \param columns  a table without rows, with the columns of the rows to be added
    explicit RunSummary(const results::Table& columns);

    void add(const results::Table& block);

    /// Summary as text. Points out prominently if there is no feasible point, with the most frequent reasons.
    [[nodiscard]] std::string text() const;

    /// Summary as JSON: {name, points, status: {ok, out_of_memory, …}, reasons: [{status, rows, example}],
    /// objectives, front_size, search, idle_axes, rows}, where rows are the best in each objective.
    [[nodiscard]] Json json() const;

    /// Whether a row has an answer.
    [[nodiscard]] bool has_answers() const { return count_of(space::Status::ok) > 0; }

    /// Reasons of rows without an answer.
    [[nodiscard]] const CommonReasons& reasons() const { return reasons_; }

  private:
    std::span<const space::Status> feasible(const results::Table& block);
    [[nodiscard]] std::uint64_t count_of(space::Status status) const;
    [[nodiscard]] std::string status_lines() const;
    [[nodiscard]] std::string reason_lines() const;
    [[nodiscard]] std::string reasons_by_status() const;
    [[nodiscard]] Json reasons_json() const;
    [[nodiscard]] std::string idle_text() const;

    std::string name_;
    std::uint64_t rows_{0};
    std::array<std::uint64_t, 8> counts_{};  ///< by status
    CommonReasons reasons_;
    RowFilter filter_;
    std::string unfiltered_;  ///< note for the text if the sweep's conditions cannot be applied to its rows
    std::vector<std::string> where_;  ///< the sweep's conditions
    std::uint64_t meeting_{0};        ///< rows with an answer that meet them
    results::FrontRows front_;
    ShortRuns short_runs_;
    ShiftedBars shifted_bars_;
    SearchCourse course_;
    VariedAxes varied_;
    results::IdleAxes idle_;
};

}  // namespace dse::app
