#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dse::app {

/// Rows of text under headings, aligned for a terminal.
class TextTable {
  public:
    enum class Align : std::uint8_t { left, right };

    /// A column. The first one added stands leftmost.
    void add_column(std::string heading, Align align = Align::right);

    /// \param cells  as many as columns
    void add_row(std::vector<std::string> cells);

    /// Lines with two spaces between columns, each indented. Headings are left out where all are empty.
    [[nodiscard]] std::string text(std::size_t indent = 0) const;

  private:
    struct Column {
        std::string heading;
        Align align{Align::right};
    };
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

/// Characters that a terminal shows for UTF-8 text without wide or combining ones.
std::size_t display_width(const std::string& text);

}  // namespace dse::app
