#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "dse/results/table.hpp"

namespace dse::app {

/// Divides rows by the value of one axis, block by block; without an axis all of them are one group.
class RowGroups {
  public:
    /// Sees the rows of one value; the value means nothing where there is one group.
    using Visitor = std::function<void(double value, const results::Table& rows)>;

    /// \param by  the end of an axis's path; empty for one group. \throws InputError where it is none
    RowGroups(const results::Table& columns, std::string_view by);

    /// Rows without a value of the axis are in no group.
    /// \throws InputError for an axis with more than most_values values
    void each(const results::Table& block, const Visitor& visit);

    /// By index into schema.points.
    [[nodiscard]] std::optional<std::size_t> column() const { return column_; }

    static constexpr std::size_t most_values = 1000;

  private:
    std::optional<std::size_t> column_;
    std::map<double, results::Table> groups_;
};

}  // namespace dse::app
