#include "app/questions/row_groups.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/questions/row_names.hpp"
#include "app/result_columns.hpp"
#include "dse/base/error.hpp"

namespace dse::app {

RowGroups::RowGroups(const results::Table& columns, std::string_view by) {
    while (!by.empty()) {
        const std::size_t comma = std::min(by.find(','), by.size());
        std::string_view name = by.substr(0, comma);
        name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
        const std::size_t column = point_column(columns, name);
        if (std::find(columns_.begin(), columns_.end(), column) != columns_.end())
            throw InputError(fmt::format("--by names {} twice", columns.schema.points[column].name));
        columns_.push_back(column);
        by.remove_prefix(std::min(comma + 1, by.size()));
    }
}

void RowGroups::each(const results::Table& block, const Visitor& visit) {
    if (columns_.empty()) return visit({}, block);
    for (auto& [values, rows] : groups_) rows.clear();
    for (std::size_t row = 0; row < block.rows(); ++row) {
        const Values values = group_of(block, columns_, row);
        if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
            continue;
        auto group = groups_.find(values);
        if (group == groups_.end()) {
            if (groups_.size() >= most_groups)
                throw InputError(fmt::format("{} {} more than {} {}: too many for an answer each",
                                             grouping_names(block, columns_),
                                             columns_.size() == 1 ? "has" : "have", most_groups,
                                             columns_.size() == 1 ? "values" : "combinations of values"));
            group = groups_.emplace(values, results::without_rows(block)).first;
        }
        group->second.append(block, row);
    }
    for (const auto& [values, rows] : groups_) {
        if (rows.rows() > 0) visit(values, rows);
    }
}

std::string grouping_names(const results::Table& table, const std::vector<std::size_t>& columns) {
    std::vector<std::string> names;
    for (const std::size_t column : columns) names.push_back(table.schema.points[column].name);
    return fmt::format("{}", fmt::join(names, ","));
}

std::string group_text(const results::Table& table, const std::vector<std::size_t>& columns,
                       const RowGroups::Values& values) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const results::Column& column = table.schema.points[columns[i]];
        texts.push_back(fmt::format("{}={}", column.name, column_text(column, values[i])));
    }
    return fmt::format("{}", fmt::join(texts, " "));
}

RowGroups::Values group_of(const results::Table& table, const std::vector<std::size_t>& columns,
                           std::size_t row) {
    RowGroups::Values values;
    for (const std::size_t column : columns) values.push_back(table.points[column][row]);
    return values;
}

}  // namespace dse::app
