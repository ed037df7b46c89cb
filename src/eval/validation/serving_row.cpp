#include "dse/eval/validation/serving_row.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/config/csv.hpp"
#include "eval/validation/csv_header.hpp"
#include "eval/validation/table_checks.hpp"

namespace dse::eval {
namespace {

using Record = std::vector<std::string>;

/// Access to the fields of a record by column name.
class Line {
  public:
    Line(const Header& header, const Record& record) : header_{header}, record_{record} {}

    [[nodiscard]] std::string text(const std::string& name) const { return header_.text(record_, name); }
    [[nodiscard]] std::optional<double> number(const std::string& name) const {
        return header_.number(record_, name);
    }
    [[nodiscard]] std::int64_t whole(const std::string& name) const {
        return header_.whole(record_, name).value_or(0);
    }

  private:
    const Header& header_;
    const Record& record_;
};

WorkerRow worker_of(const Line& line, const std::string& pool) {
    return {line.whole(pool + "num_workers"), line.whole(pool + "tp_size"), line.whole(pool + "pp_size"),
            line.whole(pool + "attention_dp_size"), line.whole(pool + "moe_ep_size")};
}

/// Why the parallelism of a measurement is not reliable: it is listed with conflicting sizes, or marked as
/// suspect.
std::string suspicion(const Line& line) {
    return line.whole("parallelism_conflict") != 0 ? "parallelism_conflict"
                                                   : line.text("parallelism_suspect");
}

ServingRow row_of(const Line& line) {
    ServingRow row;
    row.id = line.text("id");
    row.model = line.text("model");
    row.gpu = line.text("gpu");
    row.framework = line.text("framework");
    row.release = line.text("framework_version");
    row.source = line.text("source_kind");
    row.quantization = line.text("gemm_quant");
    row.pools_apart = line.text("mode") == "disagg";
    row.prompt = line.whole("isl_tokens");
    row.output = line.whole("osl_tokens");
    row.concurrency = line.whole("concurrency");
    row.worker = worker_of(line, "");
    row.prefill = worker_of(line, "prefill_");
    row.decode = worker_of(line, "decode_");
    row.suspect = suspicion(line);
    row.configuration = line.text("config_key");
    row.ttft = line.number("ttft_s");
    row.tpot = line.number("tpot_s");
    return row;
}

}  // namespace

bool is_serving_table(const std::string& file) {
    const Header header(config::read_csv_header(file));
    return header.has("ttft_s") && header.has("tpot_s");
}

std::vector<ServingRow> read_serving_rows(const std::string& file) {
    const auto records = config::read_csv(file);
    if (records.empty()) throw InputError(fmt::format("{}: is empty", file));
    const Header header(records.front().fields);
    constexpr std::array needed{"id",         "model",       "gpu",     "framework", "isl_tokens",
                                "osl_tokens", "concurrency", "tp_size", "ttft_s",    "tpot_s"};
    for (const char* name : needed) {
        if (header.has(name)) continue;
        throw InputError(fmt::format("{}:1: has no column '{}' (a table of measured deployments has {})",
                                     file, name, fmt::join(needed, ", ")));
    }
    constexpr std::array numbers{"isl_tokens", "osl_tokens", "concurrency", "tp_size", "ttft_s", "tpot_s"};
    std::vector<ServingRow> rows;
    for_each_row(file, header, records, RowIds::own, numbers,
                 [&](const auto& record, const std::string& /*place*/, std::size_t /*number*/) {
                     rows.push_back(row_of(Line{header, record}));
                 });
    return rows;
}

}  // namespace dse::eval
