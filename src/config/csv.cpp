#include "dse/config/csv.hpp"

#include <algorithm>
#include <string_view>

#include <csv.h>
#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/text_encoding.hpp"

namespace dse::config {
namespace {

struct Records {
    std::vector<CsvRecord> all;
    std::vector<std::string> current;
    int begin{1};  ///< line of the current record
    int line{1};
};

void take_field(void* text, std::size_t size, void* data) {
    auto& records = *static_cast<Records*>(data);
    const std::string& field = records.current.emplace_back(static_cast<const char*>(text), size);
    records.line += static_cast<int>(std::ranges::count(field, '\n'));
}

/// \param end  the character that ended the record, or the blank line; negative at the end of the text
void take_record(int end, void* data) {
    auto& records = *static_cast<Records*>(data);
    if (!records.current.empty()) records.all.push_back({std::move(records.current), records.begin});
    records.current.clear();
    if (end == '\n') ++records.line;
    records.begin = records.line;
}

/// What is no text to begin with; empty if it may be some. Most bytes of UTF-16 would be read as odd names.
std::string encoding_fault(std::string_view text) {
    if (is_utf16(text)) return "the file is in UTF-16, not UTF-8";
    if (text.starts_with("\x1f\x8b")) return "the file is compressed: unpack it with gunzip";
    return {};
}

/// What the parser means by a format error, of which it only says that there is one.
std::string format_error(std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return "the file is binary, not text";
    return "a quote stands inside a value, or is not closed";
}

/// The character that separates the columns of a heading instead of commas, as spreadsheets write it in many
/// countries; empty if there is none.
std::string_view other_separator(const std::vector<CsvRecord>& records) {
    if (records.empty() || records.front().fields.size() != 1) return {};
    const std::string& heading = records.front().fields.front();
    for (const std::string_view separator : {";", "\t"})
        if (std::ranges::count(heading, separator.front()) > 1) return separator;
    return {};
}

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text, const std::string& name) {
    text = without_byte_order_mark(text);
    if (const std::string fault = encoding_fault(text); !fault.empty())
        throw InputError(fmt::format("{}:1: not comma-separated values: {}", name, fault));
    csv_parser parser{};
    // Blank lines are reported, too, so that lines can be counted.
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0)
        throw InputError(name + ": no memory for a CSV parser");
    Records records;
    const std::size_t read = csv_parse(&parser, text.data(), text.size(), take_field, take_record, &records);
    const bool ended = read == text.size() && csv_fini(&parser, take_field, take_record, &records) == 0;
    const bool is_format = csv_error(&parser) == CSV_EPARSE;
    const std::string reason = is_format ? format_error(text) : csv_strerror(csv_error(&parser));
    csv_free(&parser);
    if (!ended) {
        throw InputError(fmt::format("{}:{}: not comma-separated values: {}", name,
                                     1 + std::ranges::count(text.substr(0, read), '\n'), reason));
    }
    if (const std::string_view separator = other_separator(records.all); !separator.empty())
        throw InputError(fmt::format("{}:1: columns are separated by {}, not by commas", name,
                                     separator == ";" ? "semicolons" : "tabs"));
    return std::move(records.all);
}

}  // namespace dse::config
