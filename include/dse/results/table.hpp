#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/metrics/pareto.hpp"
#include "dse/results/provenance.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"

namespace dse::results {

/// Results as columns; every column has one value a row, rows ascend by point id.
struct Table {
    ResultSchema schema;
    Provenance provenance;
    std::vector<std::uint64_t> point_id;
    std::vector<space::Status> status;
    std::vector<std::string> reason;
    std::vector<std::vector<double>> points;   ///< [column of schema.points][row], coded as in space::Point
    std::vector<std::vector<double>> metrics;  ///< [column of schema.metrics][row], SI units
    std::vector<double> wall_seconds;
    std::vector<std::int32_t> rank;
    std::vector<std::string> host;

    /// The rows come from a file without a valid seal: nothing vouches for them.
    bool unsealed{false};

    [[nodiscard]] std::size_t rows() const { return point_id.size(); }

    /// Forgets the rows; the columns and their memory stay.
    void clear();
    /// Appends a row of another table with the same columns.
    void append(const Table& from, std::size_t row);

    /// \throws InputError naming the nearest column
    [[nodiscard]] std::span<const double> metric(std::string_view name) const;
    [[nodiscard]] std::span<const double> point_value(std::string_view name) const;
};

/// A table without rows.
Table empty_table(const ResultSchema& schema);

/// A table of the same columns, without the rows.
Table without_rows(const Table& table);

/// Sees rows in blocks, ascending by point id over all calls.
using BlockVisitor = std::function<void(const Table&)>;

/// A value of a point as a user reads it: "4", "0.25", "yes", "1f1b"; SI units.
std::string to_text(const Column& column, double value);

/// What the objectives want minimised, row by row; rows whose status is not `ok` are NaN.
metrics::CostTable costs(const Table& table, std::span<const metrics::Objective> objectives);

/// The same with other statuses than the table's. \param status  of its rows
metrics::CostTable costs(const Table& table, std::span<const metrics::Objective> objectives,
                         std::span<const space::Status> status);

}  // namespace dse::results
