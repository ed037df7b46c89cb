#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/json_output.hpp"
#include "dse/config/quantity.hpp"
#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"

namespace dse::app {

/// The dimension that a column's unit names; results know units as text only.
config::Dimension dimension_of(std::string_view unit);

/// A value of a point for people: "8", "1f1b", "400 Gbps".
std::string column_text(const results::Column& column, double value);

/// The same for programs: an integer, a number in SI units, true or false, a label; null for NaN.
Json column_json(const results::Column& column, double value);

/// A metric for people.
std::string metric_text(const results::MetricColumn& column, double value);

/// Axes that have more than one value in the table, by index into schema.points.
std::vector<std::size_t> varied_axes(const results::Table& table);

/// Objectives that have a value in some row; one that no row answers cannot tell points apart.
std::vector<metrics::Objective> answered(const results::Table& table,
                                         std::span<const metrics::Objective> objectives);

/// Rows of a table for people, indented: the objectives, MFU and peak memory, then the axes in which they
/// differ; a line before says what of the varied axes they have in common. \param labels  one a row, to stand
/// first; or empty
std::string rows_text(const results::Table& table, std::span<const std::size_t> rows,
                      std::span<const metrics::Objective> objectives,
                      const std::vector<std::string>& labels = {});

}  // namespace dse::app
