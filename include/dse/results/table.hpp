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

/// Results as columns. Every column has one value per row; rows ascend by point id.
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

    /// Whether the rows come from a file without a valid seal and are therefore unverified.
    bool unsealed{false};

    [[nodiscard]] std::size_t rows() const { return point_id.size(); }

    /// Removes the rows, keeping the columns and their memory.
    void clear();
    /// Appends a row of another table with the same columns.
    void append(const Table& from, std::size_t row);

    /// \throws InputError naming the nearest column
    [[nodiscard]] std::span<const double> metric(std::string_view name) const;
    [[nodiscard]] std::span<const double> point_value(std::string_view name) const;
};

/// A table without rows.
Table empty_table(const ResultSchema& schema);

/// An empty table with the same columns.
Table without_rows(const Table& table);

/// Called with rows in blocks, ascending by point id over all calls.
using BlockVisitor = std::function<void(const Table&)>;

/// The values to be minimized for each row; NaN for rows whose status is not `ok`.
metrics::CostTable costs(const Table& table, std::span<const metrics::Objective> objectives);

/// The same with given statuses instead of the table's. \param status  one per row
metrics::CostTable costs(const Table& table, std::span<const metrics::Objective> objectives,
                         std::span<const space::Status> status);

}  // namespace dse::results
