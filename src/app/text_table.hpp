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

    /// Indented lines with two spaces between columns. The headings are omitted if all are empty. A table
    /// that is wider than the terminal is broken: the texts of its last column between words, rows with long
    /// names after the name, other tables into tables below each other.
    [[nodiscard]] std::string text(std::size_t indent = 0) const;

    /// The same in at most this many columns as far as its cells allow it.
    [[nodiscard]] std::string fitted_text(std::size_t indent, std::size_t width) const;

  private:
    struct Column {
        std::string heading;
        Align align{Align::right};
    };
    /// Number of columns that a column of the table takes.
    [[nodiscard]] std::size_t width_of(std::size_t column) const;
    /// The headings, if there are any, and the rows of these columns, a text each.
    [[nodiscard]] std::vector<std::string> rows_text(const std::vector<std::size_t>& columns,
                                                     std::size_t indent, std::size_t width) const;
    /// The rest of each row below its first cell.
    [[nodiscard]] std::string stacked(std::size_t indent, std::size_t width) const;
    /// Columns that do not fit in tables of their own, below each other, each with the first column.
    [[nodiscard]] std::string blocks(std::size_t indent, std::size_t width) const;
    /// Rows of these columns, with the headings.
    [[nodiscard]] std::string lines(const std::vector<std::size_t>& columns, std::size_t indent,
                                    std::size_t width) const;

    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Number of columns that UTF-8 text takes on a terminal, without support for wide or combining characters.
std::size_t display_width(const std::string& text);

}  // namespace dse::app
