#include "dse/eval/validation/left_out.hpp"

#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/node.hpp"
#include "eval/validation/csv_header.hpp"

namespace dse::eval {

std::map<std::string, LeftOut> read_left_out(const std::string& file) {
    auto records = config::parse_csv(config::read_text(file), file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    const Header header(std::move(records.front()));
    for (const char* needed : {"id", "group", "left_out", "fitted"}) {
        if (!header.has(needed)) throw InputError(fmt::format("{}:1: has no column '{}'", file, needed));
    }
    std::map<std::string, LeftOut> rows;
    for (std::size_t i = 1; i < records.size(); ++i) {
        const auto& record = records[i];
        const auto error = header.number(record, "left_out");
        if (!error) throw InputError(fmt::format("{}:{}: 'left_out' is not a number", file, i + 1));
        rows[header.text(record, "id")] = {header.text(record, "group"), *error,
                                           !header.text(record, "fitted").empty()};
    }
    return rows;
}

void mark_calibration(const std::map<std::string, LeftOut>& rows, std::vector<Comparison>& comparisons) {
    for (Comparison& comparison : comparisons) {
        const auto row = rows.find(comparison.row.id);
        if (row == rows.end() || row->second.group != comparison.row.group) continue;
        comparison.is_calibration = row->second.is_calibration;
        if (comparison.is_calibration) comparison.left_out = row->second.error;
    }
}

}  // namespace dse::eval
