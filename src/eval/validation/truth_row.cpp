#include "dse/eval/validation/truth_row.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/node.hpp"
#include "eval/validation/csv_header.hpp"

namespace dse::eval {
namespace {

constexpr double largest_weight = 1e6;

/// Columns of sizes and degrees. Those of the second kind also hold what is no number ("MLA", "128/128").
constexpr std::array counts{"layers", "hidden", "vocab", "gpus", "tp",  "pp",
                            "vpp",    "dp",     "cp",    "ep",   "gbs", "mbs"};
constexpr std::array counts_or_text{"ffn", "heads", "kv_heads", "head_dim", "seq"};

/// Why a row cannot be predicted: a size or a degree that is none. Otherwise empty.
std::string misstated(const Header& header, const std::vector<std::string>& record) {
    const auto is_wrong = [&](const char* name, bool may_be_text) {
        const std::string text = header.text(record, name);
        const std::optional<double> number = header.number(record, name);
        if (!number) return !text.empty() && !may_be_text;
        return *number < 1.0 || *number != std::floor(*number);
    };
    const auto say = [&](const char* name) {
        return fmt::format("{}: '{}' is not a whole number above 0", name, header.text(record, name));
    };
    for (const char* name : counts)
        if (is_wrong(name, false)) return say(name);
    for (const char* name : counts_or_text)
        if (is_wrong(name, true)) return say(name);
    return {};
}

/// \throws InputError for a weight that is none: the column is ours, and its sums are those of the errors
double weight_of(const Header& header, const std::vector<std::string>& record, const std::string& row) {
    const std::string text = header.text(record, "weight");
    if (text.empty()) return 1.0;
    const std::optional<double> weight = header.number(record, "weight");
    if (weight && *weight >= 0.0 && *weight <= largest_weight) return *weight;
    throw InputError(
        fmt::format("{}: weight '{}' is not a number between 0 and {}", row, text, largest_weight));
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
    row.sequence_parallel = number("sp");
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
    row.misstated = misstated(header, record);
    return row;
}

}  // namespace

std::vector<TruthRow> read_truth(const std::string& file) {
    auto records = config::parse_csv(config::read_text(file), file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    const Header header(std::move(records.front()));
    for (const char* needed : {"id", "source", "chip", "metric", "value"}) {
        if (!header.has(needed)) throw InputError(fmt::format("{}:1: has no column '{}'", file, needed));
    }
    std::vector<TruthRow> rows;
    for (std::size_t i = 1; i < records.size(); ++i) {
        rows.push_back(make_row(header, records[i], fmt::format("{}: row {}", file, i)));
        rows.back().line = static_cast<int>(i + 1);
    }
    return rows;
}

}  // namespace dse::eval
