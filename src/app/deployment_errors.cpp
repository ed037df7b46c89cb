#include "app/deployment_errors.hpp"

#include <iostream>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/row_reasons.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

using eval::ServingComparison;
using eval::ServingSummary;

/// Tokens per second of all clients together.
double throughput(const ServingComparison& each, double ttft, double tpot) {
    const auto tokens = static_cast<double>(each.row.output);
    return static_cast<double>(each.row.concurrency) * tokens / (ttft + (tokens - 1.0) * tpot);
}

Json row_of(const ServingComparison& each, const char* metric, double predicted, double measured,
            double error) {
    return Json{
        {"id", each.row.id},       {"source", each.row.source},       {"chip", each.row.gpu},
        {"model", each.row.model}, {"framework", each.row.framework}, {"template", each.model_template},
        {"metric", metric},        {"predicted", predicted},          {"measured", measured},
        {"error", error},          {"overloaded", each.overloaded},   {"weight", each.weight},
        {"why", each.why},         {"prompt", each.row.prompt}};
}

void add_rows(const ServingComparison& each, Json& rows) {
    const double ttft = each.row.ttft.value_or(std::nan(""));
    const double tpot = each.row.tpot.value_or(std::nan(""));
    rows.push_back(row_of(each, "ttft", each.ttft, ttft, each.ttft_error()));
    rows.push_back(row_of(each, "tpot", each.tpot, tpot, each.tpot_error()));
    rows.push_back(row_of(each, "output_tokens_per_second", throughput(each, each.ttft, each.tpot),
                          throughput(each, ttft, tpot), each.request_error()));
}

Json errors_json(const ServingSummary::Errors& errors) {
    return Json{{"rows", errors.rows},
                {"median_absolute_error", errors.median},
                {"bias", errors.bias},
                {"inside", errors.inside},
                {"median_width", errors.width}};
}

}  // namespace

void print_deployments_json(const std::vector<ServingComparison>& comparisons,
                            const std::vector<ServingSummary>& summaries) {
    Json json = json_object();
    json["rows"] = Json::array();
    for (const ServingComparison& each : comparisons) add_rows(each, json["rows"]);
    json["summary"] = Json::array();
    for (const ServingSummary& summary : summaries) {
        json["summary"].push_back({{"name", summary.name},
                                   {"tpot", errors_json(summary.tpot)},
                                   {"ttft", errors_json(summary.ttft)},
                                   {"output_tokens_per_second", errors_json(summary.request)}});
    }
    print_json(json);
}

void print_deployment_rows(const std::vector<ServingComparison>& comparisons) {
    TextTable table;
    table.add_column("row", TextTable::Align::left);
    for (const char* heading : {"ttft", "measured", "error", "tpot", "measured", "error"})
        table.add_column(heading);
    table.add_column("", TextTable::Align::left);
    for (const ServingComparison& each : comparisons) {
        if (!each.is_compared()) {
            table.add_row({each.row.id, "", "", "", "", "", "", each.why});
            continue;
        }
        table.add_row({each.row.id, human_seconds(each.ttft), human_seconds(*each.row.ttft),
                       signed_share_cell(each.ttft_error()), human_seconds(each.tpot),
                       human_seconds(*each.row.tpot), signed_share_cell(each.tpot_error()),
                       each.overloaded ? "overloaded" : ""});
    }
    std::cout << table.text() << '\n';
}

void print_deployments(const std::vector<ServingComparison>& comparisons,
                       const std::vector<ServingSummary>& summaries) {
    TextTable table;
    table.add_column("deployments", TextTable::Align::left);
    for (const char* heading : {"rows", "tpot", "bias", "inside", "width", "rows", "ttft", "bias", "inside",
                                "width", "request", "bias"})
        table.add_column(heading);
    for (const ServingSummary& s : summaries) {
        table.add_row({s.name, fmt::format("{}", s.tpot.rows), share_cell(s.tpot.median),
                       signed_share_cell(s.tpot.bias), share_cell(s.tpot.inside), share_cell(s.tpot.width),
                       fmt::format("{}", s.ttft.rows), share_cell(s.ttft.median),
                       signed_share_cell(s.ttft.bias), share_cell(s.ttft.inside), share_cell(s.ttft.width),
                       share_cell(s.request.median), signed_share_cell(s.request.bias)});
    }
    std::cout
        << "Median errors of predicted times per output token; to first token, and of whole requests, of\n"
           "deployments that are not overloaded; how many of the measured ones lie between the bars of 80 %, "
           "and\n"
           "half of their distance (median). A configuration that was measured several times counts once.\n"
        << table.text() << not_predicted_text(comparisons);
}

}  // namespace dse::app
