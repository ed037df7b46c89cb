#include "dse/eval/validation/left_out.hpp"

#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/csv_header.hpp"

namespace dse::eval {
namespace {

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream{text};
    return {std::istream_iterator<std::string>{stream}, {}};
}

/// What other tables call a row: id@group, blanks between.
void add_other_names(const std::string& names, const LeftOut& row, std::map<std::string, LeftOut>& rows) {
    for (const std::string& name : words_of(names)) {
        const std::size_t at = name.find('@');
        rows[name.substr(0, at)] = {at == std::string::npos ? "" : name.substr(at + 1), row.error,
                                    row.is_calibration, row.constants};
    }
}

}  // namespace

std::map<std::string, LeftOut> read_left_out(const std::string& file) {
    auto records = config::read_csv(file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    const Header header(std::move(records.front().fields));
    for (const char* needed : {"id", "group", "left_out", "fitted", "also"}) {
        if (!header.has(needed)) throw InputError(fmt::format("{}:1: has no column '{}'", file, needed));
    }
    std::map<std::string, LeftOut> rows;
    for (std::size_t i = 1; i < records.size(); ++i) {
        const auto& [record, line] = records[i];
        const auto error = header.number(record, "left_out");
        if (!error) throw InputError(fmt::format("{}:{}: 'left_out' is not a number", file, line));
        const std::string fitted = header.text(record, "fitted");
        const LeftOut row{header.text(record, "group"), *error, !fitted.empty(), words_of(fitted)};
        rows[header.text(record, "id")] = row;
        add_other_names(header.text(record, "also"), row, rows);
    }
    return rows;
}

void check_left_out(const std::string& file) {
    auto records = config::read_csv(file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    const Header header(std::move(records.front().fields));
    if (header.has("id")) return static_cast<void>(read_left_out(file));
    for (const char* needed : {"quantity", "group", "weight", "left_out"}) {
        if (!header.has(needed)) throw InputError(fmt::format("{}:1: has no column '{}'", file, needed));
    }
    for (std::size_t i = 1; i < records.size(); ++i) {
        for (const char* number : {"weight", "left_out"}) {
            if (header.number(records[i].fields, number)) continue;
            throw InputError(
                fmt::format("{}:{}: '{}' is not a number", file, records[i].line, config::excerpt(number)));
        }
    }
}

void mark_calibration(const std::map<std::string, LeftOut>& rows, std::vector<Comparison>& comparisons) {
    for (Comparison& comparison : comparisons) {
        const auto row = rows.find(comparison.row.id);
        if (row == rows.end() || row->second.group != comparison.row.group) continue;
        comparison.is_calibration = row->second.is_calibration;
        comparison.constants = row->second.constants;
        if (comparison.is_calibration) comparison.left_out = row->second.error;
    }
}

}  // namespace dse::eval
