#include "dse/config/csv.hpp"

#include <algorithm>

#include <csv.h>
#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::config {
namespace {

struct Records {
    std::vector<std::vector<std::string>> all;
    std::vector<std::string> current;
};

void take_field(void* text, std::size_t size, void* data) {
    static_cast<Records*>(data)->current.emplace_back(static_cast<const char*>(text), size);
}

void take_record(int, void* data) {
    auto* records = static_cast<Records*>(data);
    records->all.push_back(std::move(records->current));
    records->current.clear();
}

/// What the parser means by a format error, of which it only says that there is one.
std::string format_error(std::string_view text) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return "the file is in UTF-16, not UTF-8";
    if (text.find('\0') != std::string_view::npos) return "the file is binary, not text";
    return "a quote stands inside a value, or is not closed";
}

}  // namespace

std::vector<std::vector<std::string>> parse_csv(std::string_view text, const std::string& name) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // spreadsheets begin UTF-8 files with it
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    csv_parser parser{};
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
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
