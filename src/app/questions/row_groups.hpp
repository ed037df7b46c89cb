#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "dse/results/table.hpp"

namespace dse::app {

/// Groups rows by the value of one axis, block by block. Without an axis, all rows are one group.
class RowGroups {
  public:
    /// Called with the rows of one value. The value has no meaning if there is only one group.
    using Visitor = std::function<void(double value, const results::Table& rows)>;

    /// \param by  the end of an axis's path; empty for one group
    /// \throws InputError if there is no such axis
    RowGroups(const results::Table& columns, std::string_view by);

    /// Rows without a value of the axis are in no group.
    /// \throws InputError for an axis with more than most_values values
    void each(const results::Table& block, const Visitor& visit);

    /// Index of the axis into schema.points.
    [[nodiscard]] std::optional<std::size_t> column() const { return column_; }

    static constexpr std::size_t most_values = 1000;

  private:
    std::optional<std::size_t> column_;
    std::map<double, results::Table> groups_;
};

}  // namespace dse::app
