#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Whether a dotted path equals `name`, or ends with a dot and `name`.
bool is_called(std::string_view path, std::string_view name);

/// Finds an axis or derived value of results by the end of its path.
/// \return index into schema.points
/// \throws InputError if there is none, with a suggestion, or if there are several, listing them
std::size_t point_column(const results::Table& columns, std::string_view name);

/// Finds a metric of results by its name. \throws InputError if there is none, with a suggestion
const results::MetricColumn& metric_column(const results::Table& columns, std::string_view name);

/// Parses "mfu,tokens_per_second": metrics of these results, without duplicates.
/// \throws InputError for an unknown metric, with a suggestion
std::vector<std::string> parse_metrics(const results::Table& columns, std::string_view text);

/// Parses a value of a column as written by users: "8", "1f1b", "400 Gbps", "true".
/// \throws InputError if the column cannot have this value
double parse_column_value(const results::Column& column, const std::string& text);

}  // namespace dse::app
