#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>

#include "app/json_output.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// A cell of a CSV file (RFC 4180): quoted if it contains a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

/// Writes the column names: point_id, status, reason, axes and derived values, metrics. A column `unsealed`
/// marks rows without a valid seal.
void write_csv_heading(std::ostream& stream, const results::Table& table);

/// Writes rows, with SI units and all digits; NaN is empty.
void write_csv_rows(std::ostream& stream, const results::Table& table, std::span<const std::size_t> rows);

/// One row: {point_id, status, reason, point: {…}, metrics: {…}}.
Json row_json(const results::Table& table, std::size_t row);

}  // namespace dse::app
