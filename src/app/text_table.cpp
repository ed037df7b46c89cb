#include "app/text_table.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/check.hpp"

namespace dse::app {
namespace {

std::string aligned(const std::string& cell, std::size_t width, TextTable::Align align) {
    const std::string fill(width - std::min(width, display_width(cell)), ' ');
    return align == TextTable::Align::left ? cell + fill : fill + cell;
}

}  // namespace

std::size_t display_width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

void TextTable::add_column(std::string heading, Align align) {
    columns_.push_back({std::move(heading), align});
}

void TextTable::add_row(std::vector<std::string> cells) {
    DSE_EXPECT(cells.size() == columns_.size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::text(std::size_t indent) const {
    std::vector<std::string> headings;
    std::vector<std::size_t> widths;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        headings.push_back(columns_[c].heading);
        std::size_t width = display_width(columns_[c].heading);
        for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
        widths.push_back(width);
    }
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string result(indent, ' ');
        for (std::size_t c = 0; c < cells.size(); ++c) {
            result += (c == 0 ? "" : "  ") + aligned(cells[c], widths[c], columns_[c].align);
        }
        result.erase(result.find_last_not_of(' ') + 1);
        return result + "\n";
    };
    std::string result;
    const bool named =
        std::any_of(headings.begin(), headings.end(), [](const auto& h) { return !h.empty(); });
    if (named) result += line(headings);
    for (const auto& row : rows_) result += line(row);
    return result;
}

}  // namespace dse::app
