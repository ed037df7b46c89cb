#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Whether a dotted path is `name`, or ends with it after a dot.
bool is_called(std::string_view path, std::string_view name);

/// An axis or derived value of results by the end of its path, by index into schema.points.
/// \throws InputError naming the nearest, or all where several are meant
std::size_t point_column(const results::Table& columns, std::string_view name);

/// A metric of results by its name. \throws InputError naming the nearest
const results::MetricColumn& metric_column(const results::Table& columns, std::string_view name);

/// From "mfu,tokens_per_second": metrics that these results have, each once.
/// \throws InputError naming the nearest
std::vector<std::string> parse_metrics(const results::Table& columns, std::string_view text);

/// A value of a column as a user writes it: "8", "1f1b", "400 Gbps", "true".
/// \throws InputError for what the column cannot hold
double parse_column_value(const results::Column& column, const std::string& text);

}  // namespace dse::app
