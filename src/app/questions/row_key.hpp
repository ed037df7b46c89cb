#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dse/results/table.hpp"

namespace dse::app {

/// Names rows of different files by the values of their axes, whatever their order and their columns are.
class RowKey {
  public:
    /// \param columns  of the file whose rows are named
    /// \param axes     dotted paths; what is no axis of this file counts with the value that all its points
    /// share
    RowKey(const results::Table& columns, const std::vector<std::string>& axes);

    [[nodiscard]] std::string of(const results::Table& rows, std::size_t row) const;

    /// Axes that this file says nothing of: its rows are taken for rows of any value.
    [[nodiscard]] const std::vector<std::string>& unknown() const { return unknown_; }

  private:
    struct Part {
        std::optional<std::size_t> column{};
        std::string text{};  ///< where there is no column
    };
    std::vector<Part> parts_;
    std::vector<std::string> unknown_;
};

/// Axes of either file, each once.
std::vector<std::string> all_axes(const results::Table& a, const results::Table& b);

}  // namespace dse::app
