#include "dse/eval/validation/truth_row.hpp"

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/node.hpp"
#include "eval/validation/csv_header.hpp"

namespace dse::eval {
namespace {

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
    row.group = text("group");
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
