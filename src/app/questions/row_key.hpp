#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Identifies rows of different files by the values of their axes, independently of the order of columns.
class RowKey {
  public:
    /// \param columns  columns of the file
    /// \param axes     dotted paths; for those that are not columns of this file, the value that all its
    ///                 points share is used
    RowKey(const results::Table& columns, const std::vector<std::string>& axes);

    [[nodiscard]] std::string of(const results::Table& rows, std::size_t row) const;

    /// Axes for which this file has no value; they are not part of the key.
    [[nodiscard]] const std::vector<std::string>& unknown() const { return unknown_; }

  private:
    struct Part {
        std::optional<std::size_t> column{};
        std::string text{};  ///< if there is no column
    };
    std::vector<Part> parts_;
    std::vector<std::string> unknown_;
};

/// Axes of both files, without duplicates.
std::vector<std::string> all_axes(const results::Table& a, const results::Table& b);

}  // namespace dse::app
