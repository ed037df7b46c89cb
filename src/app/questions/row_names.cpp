#include "app/questions/row_names.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/result_columns.hpp"
#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/written_unit.hpp"

namespace dse::app {
namespace {

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return std::string{text.substr(first, text.find_last_not_of(" \t") - first + 1)};
}

double label_value(const results::Column& column, const std::string& text) {
    const auto found = std::find(column.labels.begin(), column.labels.end(), text);
    if (found == column.labels.end())
        throw InputError(
            fmt::format("{} is never '{}'{}", column.name, text, suggestion(text, column.labels)));
    return static_cast<double>(found - column.labels.begin());
}

double flag_value(const results::Column& column, const std::string& text) {
    if (text == "true" || text == "yes" || text == "1") return 1.0;
    if (text == "false" || text == "no" || text == "0") return 0.0;
    throw InputError(fmt::format("'{}' is neither true nor false ({})", text, column.name));
}

double number_value(const results::Column& column, const std::string& text) {
    std::string_view rest;
    std::string error;
    const auto number = config::parse_number(text, rest, error);
    if (number && rest.empty()) return *number;
    if (column.kind == results::ColumnKind::real && !column.unit.empty()) {
        if (const auto quantity = config::parse_quantity(text, config::dimension_of_unit(column.unit), error))
            return *quantity;
    }
    throw InputError(
        fmt::format("'{}' is not a value of {}{}", text, column.name,
                    column.kind == results::ColumnKind::integer ? ", an integer" : ": " + error));
}

}  // namespace

bool is_called(std::string_view path, std::string_view name) {
    return path == name ||
           (path.size() > name.size() && path.ends_with(name) && path[path.size() - name.size() - 1] == '.');
}

std::size_t point_column(const results::Table& columns, std::string_view name) {
    std::vector<std::string> known;
    std::vector<std::string> meant;
    std::size_t found = 0;
    for (std::size_t c = 0; c < columns.schema.points.size(); ++c) {
        const std::string& path = columns.schema.points[c].name;
        if (path == name) return c;
        known.push_back(path);
        if (!is_called(path, name)) continue;
        found = c;
        meant.push_back(path);
    }
    const auto& metrics = columns.schema.metrics;
    if (meant.empty() &&
        std::any_of(metrics.begin(), metrics.end(),
                    [&](const results::MetricColumn& metric) { return metric.name == name; }))
        throw InputError(fmt::format("'{0}' is a metric, not an axis (--objectives {0} sorts by it)", name));
    if (meant.empty())
        throw InputError(
            fmt::format("the results have no axis or derived value '{}'{}", name, suggestion(name, known)));
    if (meant.size() > 1)
        throw InputError(
            fmt::format("'{}' may be {}: give more of its path", name, fmt::join(meant, " or ")));
    return found;
}

const results::MetricColumn& metric_column(const results::Table& columns, std::string_view name) {
    std::vector<std::string> known;
    for (const results::MetricColumn& column : columns.schema.metrics) {
        if (column.name == name) return column;
        known.push_back(column.name);
    }
    throw InputError(fmt::format("the results have no metric '{}'{}", name, suggestion(name, known)));
}

std::vector<std::string> parse_metrics(const results::Table& columns, std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string name = trimmed(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
        if (name.empty()) throw InputError("a metric without a name (write --metrics mfu,energy)");
        static_cast<void>(metric_column(columns, name));  // throws if there is none, listing those that exist
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

double parse_column_value(const results::Column& column, const std::string& text) {
    switch (column.kind) {
        case results::ColumnKind::label:
            return label_value(column, text);
        case results::ColumnKind::flag:
            return flag_value(column, text);
        case results::ColumnKind::integer:
        case results::ColumnKind::real:
            break;
    }
    return number_value(column, text);
}

}  // namespace dse::app
