#include "dse/config/source_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dse::config {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_between(unsigned char byte, int low, int high) {
    return byte >= low && byte <= high;
}

/// Number of bytes of a UTF-8 character by its first byte, and the valid range of its second byte.
struct Shape {
    std::size_t length;
    int second_low;
    int second_high;
};

Shape shape_of(unsigned char first) {
    if (first < 0x80) return {1, 0, 0};
    if (is_between(first, 0xC2, 0xDF)) return {2, 0x80, 0xBF};
    if (first == 0xE0) return {3, 0xA0, 0xBF};
    if (first == 0xED) return {3, 0x80, 0x9F};
    if (is_between(first, 0xE1, 0xEF)) return {3, 0x80, 0xBF};
    if (first == 0xF0) return {4, 0x90, 0xBF};
    if (first == 0xF4) return {4, 0x80, 0x8F};
    if (is_between(first, 0xF1, 0xF3)) return {4, 0x80, 0xBF};
    return {0, 0, 0};
}

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

/// Control characters are invalid, except tabs and line feeds, and carriage returns before line feeds.
bool is_misplaced(std::string_view text, std::size_t i) {
    if (text[i] == '\t' || text[i] == '\n') return false;
    return is_control(text[i]) && !text.substr(i).starts_with("\r\n");
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
    if (text.empty()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const Shape shape = shape_of(byte(0));
    if (shape.length > text.size()) return 0;
    if (shape.length > 1 && !is_between(byte(1), shape.second_low, shape.second_high)) return 0;
    for (std::size_t i = 2; i < shape.length; ++i) {
        if (!is_between(byte(i), 0x80, 0xBF)) return 0;
    }
    return shape.length;
}

SourceText::SourceText(std::string_view text) : text_{text}, line_starts_{0} {
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    for (std::size_t i = 0; i < text_.size(); ++i) {
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
    }
}

std::optional<SourceText::Fault> SourceText::fault() {
    constexpr std::string_view hdf5_signature{"\x89HDF"};
    if (text_.starts_with(hdf5_signature))
        return Fault{place(0, 0),
                     "an HDF5 file, not YAML (results? `dse pareto` and `dse report` read those)"};
    // PowerShell's > and old editors write it.
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
        return Fault{place(0, 0), "UTF-16 text: save the file as UTF-8"};
    for (std::size_t i = 0; i < text_.size();) {
        const std::size_t length = utf8_length(text_.substr(i));
        if (length > 0 && !is_misplaced(text_, i)) {
            i += length;
            continue;
        }
        const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), i);
        const auto line = static_cast<int>(next - line_starts_.begin()) - 1;
        const auto column = static_cast<int>(i - *(next - 1));
        const auto byte = static_cast<unsigned char>(text_[i]);
        return Fault{place(line, column),
                     length > 0 ? fmt::format("not a text file: control character 0x{:02X}", byte)
                                : fmt::format("not UTF-8 text: byte 0x{:02X}", byte)};
    }
    return std::nullopt;
}

std::size_t SourceText::offset(int line, int column) const {
    const std::size_t known = std::min(static_cast<std::size_t>(std::max(line, 0)), line_starts_.size() - 1);
    return std::min(line_starts_[known] + static_cast<std::size_t>(std::max(column, 0)), text_.size());
}

std::string_view SourceText::from(int line, int column) const {
    return text_.substr(offset(line, column));
}

SourceText::Place SourceText::place(int line, int column) {
    const std::size_t wanted = offset(line, column);
    const std::size_t start = offset(line, 0);
    if (last_start_ != start || last_offset_ > wanted) {
        last_start_ = last_offset_ = start;
        last_column_ = 1;
    }
    // Continuation bytes of a character (10xxxxxx) do not count as columns.
    for (; last_offset_ < wanted; ++last_offset_) {
        if ((static_cast<unsigned char>(text_[last_offset_]) & 0xC0U) != 0x80U) ++last_column_;
    }
    const auto last_line = static_cast<int>(line_starts_.size()) - 1;
    return {std::clamp(line, 0, last_line) + 1, last_column_};
}

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0 || (is_control(text.front()) && text.front() != '\n')) {
            result += fmt::format("\\x{:02X}", static_cast<unsigned char>(text.front()));
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return result;
}

std::string excerpt(std::string_view text) {
    constexpr int most_characters = 60;
    std::size_t end = 0;
    for (int i = 0; i < most_characters && end < text.size(); ++i) {
        end += std::max<std::size_t>(utf8_length(text.substr(end)), 1);
    }
    std::string result = printable(text.substr(0, end)) + (end < text.size() ? "…" : "");
    for (std::size_t i = 0; (i = result.find('\n', i)) != std::string::npos;) result.replace(i, 1, "\\x0A");
    return result;
}

}  // namespace dse::config
