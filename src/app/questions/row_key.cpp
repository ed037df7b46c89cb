#include "app/questions/row_key.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace dse::app {
namespace {

/// Normalizes a value: "8", "8.0" and "8e0" are equal.
std::string plain(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!text.empty() && end != nullptr && *end == '\0') return fmt::format("{}", number);
    if (text == "yes") return "true";
    return text == "no" ? "false" : text;
}

void add_axes(std::vector<std::string>& names, const results::Table& columns) {
    for (const results::Column& column : columns.schema.points) {
        const bool known = std::find(names.begin(), names.end(), column.name) != names.end();
        if (!known && column.role == results::ColumnRole::axis) names.push_back(column.name);
    }
}

}  // namespace

RowKey::RowKey(const results::Table& columns, const std::vector<std::string>& axes) {
    const auto& points = columns.schema.points;
    const auto& facts = columns.schema.sweep.facts;
    for (const std::string& axis : axes) {
        const auto column =
            std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.name == axis; });
        const auto fact =
            std::find_if(facts.begin(), facts.end(), [&](const auto& known) { return known.first == axis; });
        if (column != points.end()) {
            parts_.push_back({static_cast<std::size_t>(column - points.begin())});
        } else if (fact != facts.end()) {
            parts_.push_back({std::nullopt, plain(fact->second)});
        } else {
            unknown_.push_back(axis);
        }
    }
}

std::string RowKey::of(const results::Table& rows, std::size_t row) const {
    std::string key;
    for (const Part& part : parts_) {
        key += part.column
                   ? plain(results::to_text(rows.schema.points[*part.column], rows.points[*part.column][row]))
                   : part.text;
        key += '\n';
    }
    return key;
}

std::vector<std::string> all_axes(const results::Table& a, const results::Table& b) {
    std::vector<std::string> names;
    add_axes(names, a);
    add_axes(names, b);
    return names;
}

}  // namespace dse::app
