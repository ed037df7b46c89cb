#include "dse/eval/validation/analysis_tables.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/csv_header.hpp"
#include "eval/validation/table_checks.hpp"

namespace dse::eval {
namespace {

using ColumnNames = std::span<const char* const>;

constexpr std::array throughput_text{"release", "model", "gpu", "precision"};
constexpr std::array throughput_numbers{"tp", "prompt", "output", "requests", "tokens_per_second"};
/// Columns that only some of these tables have.
constexpr std::array throughput_more{"attention_dp", "token_budget", "max_sequences", "ttft_mean_s",
                                     "tpot_mean_ms"};
constexpr std::array row_text{"id", "stack", "group", "metric"};
constexpr std::array row_numbers{"weight", "log"};
constexpr std::array unknown_text{"unknown", "quantity"};
constexpr std::array unknown_counts{"rows", "weights"};
constexpr std::array unknown_percentiles{"low", "median", "high"};

bool has_each(const Header& header, ColumnNames names) {
    return std::ranges::all_of(names, [&](const char* name) { return header.has(name); });
}

void require_all(const std::string& file, const Header& header, ColumnNames names) {
    for (const char* name : names)
        if (!header.has(name)) throw InputError(fmt::format("{}: has no column '{}'", file, name));
}

/// The rest of a row's checks: `check_finite` lets empty fields pass.
struct RowOfColumns {
    const Header& header;
    const std::vector<std::string>& record;
    const std::string& place;
    TableErrors& errors;

    void require(ColumnNames names) const {
        for (const char* name : names)
            if (header.text(record, name).empty()) errors.add(fmt::format("{}: has no {}", place, name));
    }
    void require_positive(ColumnNames names) const {
        for (const char* name : names) {
            const auto number = header.number(record, name);
            if (!header.has(name) || (number && *number > 0.0)) continue;
            errors.add(fmt::format("{}: {} is '{}', which is not a positive number", place, name,
                                   config::excerpt(header.text(record, name))));
        }
    }
};

std::vector<config::CsvRecord> uncommented(const std::string& file) {
    auto records = config::parse_csv(without_comments(config::read_table(file)), file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    return records;
}

}  // namespace

bool has_throughputs(const std::vector<std::string>& columns) {
    const Header header(columns);
    return has_each(header, throughput_numbers);
}

bool has_row_errors(const std::vector<std::string>& columns) {
    const Header header(columns);
    return has_each(header, row_text) && has_each(header, row_numbers);
}

bool has_unknown_errors(const std::vector<std::string>& columns) {
    const Header header(columns);
    return has_each(header, unknown_text) && has_each(header, unknown_percentiles);
}

std::string without_comments(const std::string& text) {
    bool begins = true;
    bool comments = false;
    std::string rest;
    rest.reserve(text.size());
    for (const char c : text) {
        comments = c != '\n' && (comments || (begins && c == '#'));
        begins = c == '\n';
        if (!comments) rest += c;
    }
    return rest;
}

void check_throughputs(const std::string& file) {
    const auto records = uncommented(file);
    const Header header(records.front().fields);
    require_all(file, header, throughput_text);
    require_all(file, header, throughput_numbers);
    TableErrors errors;
    for_each_row(file, header, records, RowIds::none, {},
                 [&](const auto& record, const std::string& place, std::size_t /*number*/) {
                     const RowOfColumns fields{header, record, place, errors};
                     fields.require(throughput_text);
                     fields.require_positive(throughput_numbers);
                     fields.require_positive(throughput_more);
                 });
    errors.throw_if_any();
}

void check_row_errors(const std::string& file) {
    const auto records = uncommented(file);
    const Header header(records.front().fields);
    require_all(file, header, row_text);
    TableErrors errors;
    for_each_row(file, header, records, RowIds::own, {},
                 [&](const auto& record, const std::string& place, std::size_t /*number*/) {
                     const RowOfColumns fields{header, record, place, errors};
                     fields.require(row_text);
                     fields.require_positive(std::array{"weight"});
                     if (!header.number(record, "log"))
                         errors.add(fmt::format("{}: log is not a finite number", place));
                 });
    errors.throw_if_any();
}

void check_unknown_errors(const std::string& file) {
    const auto records = uncommented(file);
    const Header header(records.front().fields);
    require_all(file, header, unknown_counts);
    TableErrors errors;
    for_each_row(file, header, records, RowIds::none, {},
                 [&](const auto& record, const std::string& place, std::size_t /*number*/) {
                     const RowOfColumns fields{header, record, place, errors};
                     fields.require(unknown_text);
                     fields.require_positive(unknown_counts);
                     const auto low = header.number(record, "low");
                     const auto median = header.number(record, "median");
                     const auto high = header.number(record, "high");
                     if (!low || !median || !high || *low > *median || *median > *high)
                         errors.add(fmt::format(
                             "{}: low, median and high are not three finite numbers in order", place));
                 });
    errors.throw_if_any();
}

}  // namespace dse::eval
