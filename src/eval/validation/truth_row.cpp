#include "dse/eval/validation/truth_row.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/lower_case.hpp"
#include "dse/base/nearest.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/source_text.hpp"
#include "eval/validation/csv_header.hpp"
#include "eval/validation/metric_unit.hpp"
#include "eval/validation/row_names.hpp"
#include "eval/validation/table_checks.hpp"

namespace dse::eval {
namespace {

constexpr double largest_weight = 1e6;

/// Columns of sizes and degrees. Those of the second kind also hold what is no number ("MLA", "128/128").
constexpr std::array counts{"layers", "hidden", "vocab", "gpus", "tp",  "pp",
                            "vpp",    "dp",     "cp",    "ep",   "gbs", "mbs"};
constexpr std::array counts_or_text{"ffn", "heads", "kv_heads", "head_dim", "seq"};
/// Columns of other numbers.
constexpr std::array amounts{"value", "derived_iter_s", "ffn_mats", "sp", "weight"};
constexpr auto numbers = [] {
    std::array<const char*, counts.size() + counts_or_text.size() + amounts.size()> all{};
    auto end = std::ranges::copy(counts, all.begin()).out;
    end = std::ranges::copy(counts_or_text, end).out;
    std::ranges::copy(amounts, end);
    return all;
}();

/// Whether sequence parallelism is on, as 0 or 1, or in words.
std::optional<double> switch_of(const Header& header, const std::vector<std::string>& record) {
    const std::string text = lower_case(header.text(record, "sp"));
    for (const char* on : {"1", "1.0", "true", "yes", "on"})
        if (text == on) return 1.0;
    for (const char* off : {"0", "0.0", "false", "no", "off"})
        if (text == off) return 0.0;
    return std::nullopt;
}

/// Whether a field says that there is nothing to state.
bool is_blank(const std::string& text) {
    const std::array blanks{"", "-", "none", "n/a", "na", "null"};
    return std::ranges::find(blanks, lower_case(text)) != blanks.end();
}

/// Whether text is a count that is written for people: "8,192", "8k".
bool is_written_count(const std::string& text) {
    return text.front() >= '0' && text.front() <= '9' &&
           text.find_first_not_of("0123456789,_' kK") == std::string::npos;
}

/// Why a row cannot be predicted: a size or a degree that is none. Otherwise empty.
std::string misstated(const Header& header, const std::vector<std::string>& record) {
    const auto is_wrong = [&](const char* name, bool may_be_text) {
        const std::string text = header.text(record, name);
        const std::optional<double> number = header.number(record, name);
        if (!number) return !is_blank(text) && (!may_be_text || is_written_count(text));
        return *number < 1.0 || *number != std::floor(*number);
    };
    const auto say = [&](const char* name, const char* wanted = "a whole number above 0") {
        return fmt::format("{}: '{}' is not {}", name, config::excerpt(header.text(record, name)), wanted);
    };
    for (const char* name : counts)
        if (is_wrong(name, false)) return say(name);
    for (const char* name : counts_or_text)
        if (is_wrong(name, true)) return say(name);
    if (!is_blank(header.text(record, "sp")) && !switch_of(header, record)) return say("sp", "0 or 1");
    const auto degree = [&](const char* name) { return header.number(record, name).value_or(1.0); };
    const double ranks = degree("dp") * degree("tp") * degree("pp") * degree("cp");
    if (header.number(record, "dp") && header.number(record, "gpus") && ranks != degree("gpus"))
        return fmt::format("dp {} · tp {} · pp {} · cp {} = {}, not {} gpus", degree("dp"), degree("tp"),
                           degree("pp"), degree("cp"), ranks, degree("gpus"));
    const auto is_positive = [&](const char* name) {
        return header.number(record, name).value_or(0.0) > 0.0;
    };
    if (!header.text(record, "derived_iter_s").empty()) {
        if (!is_positive("derived_iter_s")) return say("derived_iter_s", "a number above 0");
        // What a time is derived from may be text, but no measurement is negative.
        return header.number(record, "value") && !is_positive("value") ? say("value", "a number above 0")
                                                                       : "";
    }
    if (!header.text(record, "value").empty() && !is_positive("value"))
        return say("value", "a number above 0");
    const std::string_view units =
        units_instead_of(header.text(record, "metric"), header.text(record, "unit"));
    return units.empty() ? ""
                         : fmt::format("{} in the unit '{}' (expected {}; column unit)",
                                       config::excerpt(header.text(record, "metric")),
                                       config::excerpt(header.text(record, "unit")), units);
}

/// \throws InputError for a role that is none: fits would take the row for one of the other kind
void require_role(const Header& header, const std::vector<std::string>& record, const std::string& row) {
    const std::string text = header.text(record, "role");
    const std::vector<std::string> roles{"calibration", "validation"};
    if (text.empty() || std::ranges::find(roles, text) != roles.end()) return;
    throw InputError(fmt::format("{}: role '{}' is neither calibration nor validation{}", row,
                                 config::excerpt(text), suggestion(text, roles)));
}

/// \throws InputError for a weight that is none: the column is ours, and its sums are those of the errors
double weight_of(const Header& header, const std::vector<std::string>& record, const std::string& row) {
    const std::string text = header.text(record, "weight");
    if (text.empty()) return 1.0;
    const std::optional<double> weight = header.number(record, "weight");
    if (weight && *weight >= 0.0 && *weight <= largest_weight) return *weight;
    throw InputError(fmt::format("{}: weight '{}' is not a number between 0 and {}", row,
                                 config::excerpt(text), largest_weight));
}

/// The header with its names, whatever their case.
/// \throws InputError for columns that are missing or named twice
Header header_of(const std::vector<std::string>& record, const std::string& file) {
    std::vector<std::string> names;
    names.reserve(record.size());
    for (const std::string& name : record) names.push_back(lower_case(name));
    TableErrors errors;
    for (const char* needed : {"id", "source", "chip", "metric", "value"}) {
        if (std::ranges::find(names, needed) != names.end()) continue;
        const auto close = nearest(needed, names);
        errors.add(fmt::format("{}:1: has no column '{}'{}", file, needed,
                               close ? fmt::format(" (is that '{}'?)", config::excerpt(*close)) : ""));
    }
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (!name->empty() && std::find(names.begin(), name, *name) != name)
            errors.add(fmt::format("{}:1: has two columns '{}'", file, config::excerpt(*name)));
    }
    errors.throw_if_any();
    return Header(std::move(names));
}

TruthRow make_row(const Header& header, const std::vector<std::string>& record, const std::string& place) {
    const auto text = [&](const char* name) { return header.text(record, name); };
    const auto number = [&](const char* name) { return header.number(record, name); };
    TruthRow row;
    row.id = text("id");
    row.source = text("source");
    row.model = text("model");
    row.chip = text("chip");
    row.layers = number("layers");
    row.hidden = number("hidden");
    row.ffn = number("ffn");
    row.heads = number("heads");
    row.kv_heads = number("kv_heads");
    row.head_dim = number("head_dim");
    row.vocab = number("vocab");
    row.sequence = number("seq");
    row.experts = text("experts");
    row.gpus = number("gpus");
    row.tp = number("tp");
    row.pp = number("pp");
    row.virtual_stages = number("vpp");
    row.dp = number("dp");
    row.cp = number("cp");
    row.ep = number("ep");
    row.global_batch = number("gbs");
    row.microbatch = number("mbs");
    row.sequence_parallel = switch_of(header, record);
    row.zero = text("zero");
    row.recompute = text("recompute");
    row.precision = text("precision");
    row.metric = text("metric");
    row.value = number("value");
    row.unit = text("unit");
    row.notes = text("notes");
    row.group = text("group");
    row.iteration_time = number("derived_iter_s");
    row.mlp_matrices = number("ffn_mats");
    row.weight = weight_of(header, record, place);
    require_role(header, record, place);
    row.misstated = misstated(header, record);
    return row;
}

}  // namespace

std::vector<TruthRow> read_truth(const std::string& file) {
    const auto records = config::read_csv(file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    if (records.size() == 1) throw InputError(fmt::format("{}: has no rows below its header", file));
    const Header header = header_of(records.front().fields, file);
    std::vector<TruthRow> rows;
    for_each_row(file, header, records, RowIds::own, numbers,
                 [&](const auto& record, const std::string& place, std::size_t number) {
                     rows.push_back(make_row(header, record, place));
                     rows.back().number = static_cast<int>(number);
                 });
    return rows;
}

}  // namespace dse::eval
