#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/json_output.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// The same as JSON: an integer, a number in SI units, true or false, a label; null for NaN.
Json column_json(const results::Column& column, double value);

/// Index of a metric; nothing if an earlier version of dse, which wrote the file, did not have it.
std::optional<std::size_t> metric_index(const results::Table& table, std::string_view name);

/// A metric as text.
std::string metric_text(const results::MetricColumn& column, double value);

/// Finds the axes that have more than one value in a sequence of rows.
class VariedAxes {
  public:
    /// \param columns  a table without rows, with the columns of the rows to be added
    explicit VariedAxes(const results::Table& columns);

    void add(const results::Table& block);

    /// Indices into schema.points, ascending.
    [[nodiscard]] std::vector<std::size_t> axes() const;

  private:
    struct Axis {
        std::size_t column{0};
        std::optional<double> first;
        bool varies{false};
    };
    std::vector<Axis> axes_;
};

/// Indices of the first rows of a table, at most `most`.
std::vector<std::size_t> first_rows(const results::Table& table,
                                    std::size_t most = std::numeric_limits<std::size_t>::max());

/// Metrics to show besides the objectives if the user names none: MFU and peak memory; of servers, latencies,
/// the share of requests that keep the levels, and throughput.
std::vector<std::string> usual_metrics(const results::Table& columns);

/// Rows of a table as indented text: the objectives and more metrics, then the axes in which they differ.
/// A line above lists the values of varied axes that they have in common.
/// \param varied  axes that have more than one value in all results, as indices into schema.points
/// \param labels  one per row, for the first column; or empty
/// \param more    metrics to show after the objectives, if one of the rows has them
std::string rows_text(const results::Table& table, std::span<const std::size_t> rows,
                      std::span<const metrics::Objective> objectives, const std::vector<std::size_t>& varied,
                      const std::vector<std::string>& labels = {},
                      const std::vector<std::string>& more = {"mfu", "memory_peak"});

}  // namespace dse::app
