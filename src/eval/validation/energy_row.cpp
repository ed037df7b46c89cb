#include "dse/eval/validation/energy_row.hpp"

#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "dse/config/reader.hpp"
#include "eval/validation/csv_header.hpp"
#include "eval/validation/table_checks.hpp"

namespace dse::eval {
namespace {

constexpr std::array needed_columns{"model",
                                    "task",
                                    "weight_precision",
                                    "gpu",
                                    "gpus",
                                    "avg_batch_size",
                                    "avg_output_tokens",
                                    "avg_power_w",
                                    "energy_per_token_j",
                                    "output_tokens_per_s"};

EnergyRow energy_row_of(const Header& header, const std::vector<std::string>& record) {
    const auto number = [&](const char* name) { return header.number(record, name); };
    const auto whole = [&](const char* name) {
        return std::max<std::int64_t>(1, header.whole(record, name).value_or(1));
    };
    EnergyRow row;
    row.model = header.text(record, "model");
    row.task = header.text(record, "task");
    row.precision = header.text(record, "weight_precision");
    row.gpu = header.text(record, "gpu");
    row.devices = whole("gpus");
    row.tp = whole("tp");
    row.dp = whole("dp");
    row.ep = whole("ep");
    row.has_experts = header.text(record, "architecture") == "MoE";
    row.batch = number("avg_batch_size").value_or(1.0);
    row.output = number("avg_output_tokens").value_or(1.0);
    row.power = number("avg_power_w");
    row.joules_per_token = number("energy_per_token_j");
    row.tokens_per_second = number("output_tokens_per_s");
    row.id = fmt::format("{} {} {}x{} {:.0f}", row.model, row.task, row.devices, row.gpu, row.batch);
    return row;
}

}  // namespace

bool is_energy_table(const std::string& file) {
    return Header{config::read_csv_header(file)}.has("energy_per_token_j");
}

std::vector<EnergyRow> read_energy_rows(const std::string& file) {
    const auto records = config::read_csv(file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    const Header header{records.front().fields};
    for (const char* needed : needed_columns) {
        if (!header.has(needed)) throw InputError(fmt::format("{}:1: has no column '{}'", file, needed));
    }
    std::vector<EnergyRow> rows;
    for_each_row(file, header, records, RowIds::none, needed_columns,
                 [&](const auto& record, const std::string& /*place*/, std::size_t /*number*/) {
                     rows.push_back(energy_row_of(header, record));
                 });
    return rows;
}

EnergyFacts read_energy_facts(const config::Node& node, config::Diagnostics& diagnostics) {
    EnergyFacts facts;
    config::read_struct(node, facts, nullptr, diagnostics);
    return facts;
}

}  // namespace dse::eval
