#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dse::app {

/// A table with headings, aligned for a terminal.
class TextTable {
  public:
    enum class Align : std::uint8_t { left, right };

    /// Adds a column to the right of the others.
    void add_column(std::string heading, Align align = Align::right);

    /// \param cells  one per column
    void add_row(std::vector<std::string> cells);

    /// Indented lines with two spaces between columns. The headings are omitted if all are empty.
    [[nodiscard]] std::string text(std::size_t indent = 0) const;

  private:
    struct Column {
        std::string heading;
        Align align{Align::right};
    };
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Number of columns that UTF-8 text takes on a terminal, without support for wide or combining characters.
std::size_t display_width(const std::string& text);

}  // namespace dse::app
