#include "app/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/human.hpp"
#include "app/output_width.hpp"
#include "dse/base/check.hpp"

namespace dse::app {
namespace {

constexpr std::size_t gap = 2;  ///< blanks between columns
/// Columns that a text needs to be broken beside the others.
constexpr std::size_t least_text = 16;
/// A name is long if it leaves less than this share of the width: one in so many.
constexpr std::size_t names_per_line = 2;

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

std::size_t TextTable::width_of(std::size_t column) const {
    std::size_t width = display_width(columns_[column].heading);
    for (const auto& row : rows_) width = std::max(width, display_width(row[column]));
    return width;
}

std::vector<std::string> TextTable::rows_text(const std::vector<std::size_t>& columns, std::size_t indent,
                                              std::size_t width) const {
    std::vector<std::size_t> widths;
    for (const std::size_t c : columns) widths.push_back(width_of(c));
    const std::size_t last_begin =
        std::accumulate(widths.begin(), widths.end() - 1, indent + gap * (widths.size() - 1));
    std::vector<std::string> texts;
    const auto add = [&](auto&& cell_of) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Column& column = columns_[columns[i]];
            line += (i == 0 ? "" : "  ") + aligned(cell_of(columns[i]), widths[i], column.align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        add_broken(texts.emplace_back(), std::move(line),
                   last_begin + least_text <= width ? last_begin : indent + 2, width);
    };
    const bool named = std::any_of(columns.begin(), columns.end(),
                                   [&](std::size_t c) { return !columns_[c].heading.empty(); });
    if (named) add([&](std::size_t c) { return columns_[c].heading; });
    for (const auto& row : rows_) add([&](std::size_t c) { return row[c]; });
    return texts;
}

std::string TextTable::lines(const std::vector<std::size_t>& columns, std::size_t indent,
                             std::size_t width) const {
    const std::vector<std::string> texts = rows_text(columns, indent, width);
    return std::accumulate(texts.begin(), texts.end(), std::string{});
}

std::string TextTable::text(std::size_t indent) const {
    return fitted_text(indent, output_width());
}

std::string TextTable::fitted_text(std::size_t indent, std::size_t width) const {
    std::vector<std::size_t> all(columns_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (all.empty()) return {};
    std::size_t total = indent - gap;
    for (const std::size_t c : all) total += gap + width_of(c);
    const bool ends_in_text = columns_.back().align == Align::left;
    const std::size_t before = total - width_of(all.back());
    if (total <= width || all.size() == 1 || (ends_in_text && before + least_text <= width))
        return lines(all, indent, width);
    const bool is_wide_name =
        columns_.front().align == Align::left && names_per_line * (indent + width_of(0)) > width;
    const std::size_t beside = total - width_of(0) - gap;
    const bool rest_fits =
        beside + gap <= width || (ends_in_text && before - width_of(0) + least_text <= width);
    return is_wide_name && rest_fits ? stacked(indent, width) : blocks(indent, width);
}

std::string TextTable::stacked(std::size_t indent, std::size_t width) const {
    TextTable names;
    TextTable rest;
    names.columns_ = {columns_.front()};
    rest.columns_ = {columns_.begin() + 1, columns_.end()};
    std::vector<std::size_t> others(rest.columns_.size());
    std::iota(others.begin(), others.end(), std::size_t{0});
    for (const auto& row : rows_) rest.rows_.emplace_back(row.begin() + 1, row.end());
    std::string result;
    add_broken(result, std::string(indent, ' ') + columns_.front().heading, indent + 2, width);
    // All rows together have the widths; each is then printed below its name.
    const auto is_named = [](const Column& column) { return !column.heading.empty(); };
    const bool named = std::any_of(rest.columns_.begin(), rest.columns_.end(), is_named);
    const std::vector<std::string> texts = rest.rows_text(others, indent + 2, width);
    if (named) result += texts.front();
    if (!named && columns_.front().heading.empty()) result.clear();
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        add_broken(result, std::string(indent, ' ') + rows_[row].front(), indent + 2, width);
        result += texts[row + (named ? 1 : 0)];
    }
    return result;
}

std::string TextTable::blocks(std::size_t indent, std::size_t width) const {
    TextTable table = *this;
    const std::size_t most = width / names_per_line;
    for (auto& row : table.rows_) row.front() = human_name(row.front(), std::max(most, least_text));
    std::string result;
    std::size_t used = 0;
    std::vector<std::size_t> block;
    for (std::size_t c = 0; c < table.columns_.size(); ++c) {
        if (block.size() > 1 && used + gap + table.width_of(c) > width) {
            result += table.lines(block, indent, width);
            block.clear();
        }
        if (block.empty()) {
            block.push_back(0);
            used = indent + table.width_of(0);
        }
        if (c == 0) continue;
        block.push_back(c);
        used += gap + table.width_of(c);
    }
    return result + table.lines(block, indent, width);
}

}  // namespace dse::app
