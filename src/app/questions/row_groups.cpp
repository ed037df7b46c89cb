#include "app/questions/row_groups.hpp"

#include <cmath>

#include <fmt/format.h>

#include "app/questions/row_names.hpp"
#include "dse/base/error.hpp"

namespace dse::app {

RowGroups::RowGroups(const results::Table& columns, std::string_view by) {
    if (!by.empty()) column_ = point_column(columns, by);
}

void RowGroups::each(const results::Table& block, const Visitor& visit) {
    if (!column_) return visit(0.0, block);
    for (auto& [value, rows] : groups_) rows.clear();
    for (std::size_t row = 0; row < block.rows(); ++row) {
        const double value = block.points[*column_][row];
        if (std::isnan(value)) continue;
        auto group = groups_.find(value);
        if (group == groups_.end()) {
            if (groups_.size() >= most_values)
                throw InputError(fmt::format("{} has more than {} values: too many for an answer each",
                                             block.schema.points[*column_].name, most_values));
            group = groups_.emplace(value, results::without_rows(block)).first;
        }
        group->second.append(block, row);
    }
    for (const auto& [value, rows] : groups_) {
        if (rows.rows() > 0) visit(value, rows);
    }
}

}  // namespace dse::app
