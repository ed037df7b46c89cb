#include "dse/eval/validation/truth_row.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/node.hpp"

namespace dse::eval {
namespace {

/// The columns of a table by name.
class Header {
  public:
    explicit Header(std::vector<std::string> names) : names_{std::move(names)} {}

    [[nodiscard]] bool has(std::string_view name) const {
        return std::find(names_.begin(), names_.end(), name) != names_.end();
    }
    [[nodiscard]] std::string text(const std::vector<std::string>& record, std::string_view name) const {
        const auto found = std::find(names_.begin(), names_.end(), name);
        const auto column = static_cast<std::size_t>(found - names_.begin());
        return column < record.size() ? record[column] : "";
    }
    [[nodiscard]] std::optional<double> number(const std::vector<std::string>& record,
                                               std::string_view name) const {
        const std::string value = text(record, name);
        double result = 0.0;
        const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), result);
        if (status != std::errc{} || end != value.data() + value.size()) return std::nullopt;
        return result;
    }

  private:
    std::vector<std::string> names_;
};

TruthRow make_row(const Header& header, const std::vector<std::string>& record) {
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
    row.iteration_time = number("derived_iter_s");
    row.mlp_matrices = number("ffn_mats");
    row.weight = number("weight").value_or(1.0);
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
        rows.push_back(make_row(header, records[i]));
        rows.back().line = static_cast<int>(i + 1);
    }
    return rows;
}

}  // namespace dse::eval
