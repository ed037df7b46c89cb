#include "app/table_check.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/kernel_file.hpp"
#include "dse/base/error.hpp"
#include "dse/base/lower_case.hpp"
#include "dse/config/csv.hpp"
#include "dse/eval/validation/analysis_tables.hpp"
#include "dse/eval/validation/energy_row.hpp"
#include "dse/eval/validation/left_out.hpp"
#include "dse/eval/validation/serving_row.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/hardware/device/measured_table.hpp"
#include "dse/serving/trace_reader.hpp"

namespace dse::app {
namespace {

using config::Diagnostics;

bool is_of_tokens(const std::string& column) {
    const std::string name = lower_case(column);
    return name.find("token") != std::string::npos || name == "input_length" || name == "prompt_len";
}

/// Checks a table that only scripts of analysis/ read, which may begin with comments.
/// \return whether it is one
bool check_table_of_scripts(FileCheck& check) {
    const std::string text = config::read_table(check.file);
    const auto records = config::parse_csv(eval::without_comments(text), check.file);
    if (!records.empty() && eval::has_throughputs(records.front().fields)) {
        check.kind = FileKind::throughputs;
        eval::check_throughputs(check.file);
        return true;
    }
    if (!records.empty() && eval::has_row_errors(records.front().fields)) {
        check.kind = FileKind::row_errors;
        eval::check_row_errors(check.file);
        return true;
    }
    if (!records.empty() && eval::has_unknown_errors(records.front().fields)) {
        check.kind = FileKind::unknown_errors;
        eval::check_unknown_errors(check.file);
        return true;
    }
    if (text.starts_with('#'))
        throw InputError(
            fmt::format("{}:1: begins with a comment (#): the first line of a table that dse "
                        "reads names its columns",
                        check.file));
    return false;
}

/// The kind of a table by its columns, of which several kinds of measurements have some in common.
FileKind kind_of_table(const std::vector<config::CsvRecord>& records) {
    if (records.empty()) return FileKind::measurements;
    const std::vector<std::string>& columns = records.front().fields;
    const auto has = [&](std::string_view column) {
        return std::ranges::find(columns, column) != columns.end();
    };
    if (has("operator"))
        return has("shape") && has("bytes") && has("seconds") ? FileKind::table : FileKind::kernels;
    if (serving::has_arrivals(columns)) return FileKind::requests;
    // A log of requests whose columns have other names: their reader says which it knows.
    if (!has("metric") && std::ranges::any_of(columns, is_of_tokens)) return FileKind::requests;
    if (has("left_out")) return FileKind::left_out;
    if (records.size() > 1 && columns.size() > 1 && !has("metric") && !has("chip")) return FileKind::unknown;
    return FileKind::measurements;
}

void check_truth(FileCheck& check) {
    for (const eval::TruthRow& row : eval::read_truth(check.file)) {
        if (row.misstated.empty()) continue;
        check.warnings.push_back(fmt::format("{}: warning: row {} ({}) is not predicted: {}", check.file,
                                             row.number, row.id, row.misstated));
    }
}

}  // namespace

void check_requests(FileCheck& check) {
    check.kind = FileKind::requests;
    static_cast<void>(serving::check_trace(check.file, 0));
}

void check_table(FileCheck& check, Diagnostics& diagnostics) {
    check.kind = FileKind::measurements;
    if (check_table_of_scripts(check)) return;
    if (eval::is_serving_table(check.file)) return static_cast<void>(eval::read_serving_rows(check.file));
    if (eval::is_energy_table(check.file)) return static_cast<void>(eval::read_energy_rows(check.file));
    check.kind = kind_of_table(config::read_csv(check.file));
    switch (check.kind) {
        case FileKind::table:
            return static_cast<void>(hardware::read_measured_rows(check.file, diagnostics));
        case FileKind::kernels:
            return static_cast<void>(read_kernels(check.file, diagnostics));
        case FileKind::requests:
            return check_requests(check);
        case FileKind::left_out:
            return eval::check_left_out(check.file);
        case FileKind::unknown:
            check.errors.push_back(fmt::format(
                "{}:1: error: is not a table of measured steps (id, source, chip, metric, value), "
                "deployments (ttft_s, tpot_s), power (avg_power_w), kernels (operator) or requests "
                "(arrival_s): it has none of their columns",
                check.file));
            return;
        default:
            return check_truth(check);
    }
}

}  // namespace dse::app
