#include "dse/config/csv.hpp"

#include <algorithm>

#include <csv.h>
#include <fmt/format.h>

#include "dse/base/error.hpp"

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

/// What the parser means by a format error, of which it only says that there is one.
std::string format_error(std::string_view text) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return "the file is in UTF-16, not UTF-8";
    if (text.find('\0') != std::string_view::npos) return "the file is binary, not text";
    return "a quote stands inside a value, or is not closed";
}

}  // namespace

std::vector<CsvRecord> parse_csv(std::string_view text, const std::string& name) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets begin UTF-8 files with it
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
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
    return std::move(records.all);
}

}  // namespace dse::config
