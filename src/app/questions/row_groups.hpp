#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Groups rows by the values of some axes, block by block. Without an axis, all rows are one group.
class RowGroups {
  public:
    /// One value per axis that groups the rows.
    using Values = std::vector<double>;
    using Visitor = std::function<void(const Values& values, const results::Table& rows)>;

    /// \param by  the ends of axes' paths, separated by commas; empty for one group
    /// \throws InputError if there is no such axis, or if one is named twice
    RowGroups(const results::Table& columns, std::string_view by);

    /// Rows without a value of an axis are in no group.
    /// \throws InputError for axes with more than most_groups combinations of values
    void each(const results::Table& block, const Visitor& visit);

    /// Indices of the axes into schema.points, in the order in which they were named.
    [[nodiscard]] const std::vector<std::size_t>& columns() const { return columns_; }

    static constexpr std::size_t most_groups = 1000;

  private:
    std::vector<std::size_t> columns_;
    std::map<Values, results::Table> groups_;
};

/// Names of the axes that group rows, as in "tp,pp".
std::string grouping_names(const results::Table& table, const std::vector<std::size_t>& columns);

/// A group by its values, as in "tp=8 pp=4".
std::string group_text(const results::Table& table, const std::vector<std::size_t>& columns,
                       const RowGroups::Values& values);

/// The values of a row in the columns that group rows.
RowGroups::Values group_of(const results::Table& table, const std::vector<std::size_t>& columns,
                           std::size_t row);

}  // namespace dse::app
