#include "app/step_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "app/human.hpp"
#include "app/row_reasons.hpp"
#include "app/text_table.hpp"

namespace dse::app {
namespace {

/// What a row states, whatever the words of its publication.
const char* metric_of(const eval::Comparison& comparison) {
    if (comparison.is_memory())
        return comparison.row.metric == "device_memory" ? "device_memory" : "peak_memory";
    return comparison.row.is_prefill() ? "prefill_latency" : "iteration_time";
}

Json row_json(const eval::Comparison& comparison, double weight) {
    Json row{{"id", comparison.row.id},
             {"source", comparison.row.source},
             {"chip", comparison.row.chip},
             {"experts", !comparison.row.experts.empty()},
             {"model", comparison.row.model},
             {"metric", comparison.is_cell() ? comparison.row.metric : metric_of(comparison)},
             {"group", comparison.row.group},
             {"weight", weight},
             {"role", comparison.is_calibration ? "calibration" : "validation"},
             {"left_out", comparison.left_out},
             {"predicted", comparison.predicted},
             {"measured", comparison.measured},
             {"low", comparison.low},
             {"high", comparison.high},
             {"error", comparison.error()},
             {"why", comparison.why},
             {"set_aside", comparison.set_aside}};
    if (comparison.is_compared()) {
        row["fits"] = comparison.fits();
        row["memory_peak"] = comparison.memory_peak;
        row["memory_capacity"] = comparison.memory_capacity;
        row["probability_fits"] = comparison.probability_fits;
        row["device"] = comparison.device;
        row["stack"] = comparison.stack;
        row["template"] = comparison.model_template;
        row["devices"] = comparison.row.gpus.value_or(1);
    }
    return row;
}

/// A grouping as JSON names it, and as the heading of its table.
struct GroupingText {
    eval::Grouping grouping;
    const char* name;
    const char* title;
};

/// In the order of eval::Grouping and of the tables.
constexpr std::array groupings{GroupingText{eval::Grouping::source, "source", "by source"},
                               GroupingText{eval::Grouping::chip, "chip", "by chip"},
                               GroupingText{eval::Grouping::kind, "kind", "by kind of model"},
                               GroupingText{eval::Grouping::prompts, "prompts", "prompts, by chip"},
                               GroupingText{eval::Grouping::memory, "memory", "memory of a device"}};

Json summary_json(const eval::ErrorSummary& summary) {
    return Json{{"name", summary.name},
                {"by", groupings.at(static_cast<std::size_t>(summary.grouping)).name},
                {"rows", summary.rows},
                {"constants", summary.constants},
                {"mean_absolute_error", summary.mean_absolute},
                {"median_absolute_error", summary.median_absolute},
                {"p90_absolute_error", summary.ninetieth},
                {"bias", summary.bias},
                {"rank_correlation", summary.rank_correlation},
                {"pairs", summary.pairs},
                {"reversed", summary.reversed},
                {"sure_pairs", summary.sure},
                {"sure_reversed", summary.sure_reversed},
                {"largest_sure_reversed", summary.largest_reversed},
                {"inside", summary.inside},
                {"median_width", summary.median_width},
                {"width_over_median_error", summary.width_over_median()},
                {"constant_mfu_error", summary.constant_mfu},
                {"constant_mfu_by_chip_error", summary.constant_mfu_by_chip}};
}

Json refusals_json(const eval::RefusalSummary& summary) {
    return Json{{"ran", summary.ran},
                {"ran_refused", summary.ran_refused},
                {"out_of_memory", summary.out_of_memory},
                {"out_of_memory_accepted", summary.out_of_memory_accepted}};
}

std::string factor(double value) {
    return std::isfinite(value) ? fmt::format("{:.2f}", value) : "";
}

std::string layout_of(const eval::TruthRow& row) {
    return fmt::format("{} x {}, tp {:.0f} pp {:.0f}", row.gpus.value_or(0), row.precision,
                       row.tp.value_or(1), row.pp.value_or(1));
}

/// The first pairs of rows, by their ids.
std::string some_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, pairs.size()); ++i)
        text += fmt::format("{}{}/{}", i == 0 ? "" : " ", pairs[i].first, pairs[i].second);
    return pairs.size() > most ? text + " ..." : text;
}

/// Of all rows together.
void print_order(const std::vector<eval::ErrorSummary>& summaries) {
    const auto all = std::ranges::find(summaries, "all", &eval::ErrorSummary::name);
    if (all == summaries.end()) return;
    if (!all->reversed.empty())
        std::cout << fmt::format("Pairs predicted the other way round: {}\n", some_of(all->reversed));
    if (all->sure == 0) return;
    std::string reversed = "none";
    if (!all->sure_reversed.empty())
        reversed = fmt::format("{}, by up to {}: {}", all->sure_reversed.size(),
                               share_cell(all->largest_reversed), some_of(all->sure_reversed));
    std::cout << fmt::format(
        "Predicted to differ by more than the error bars of both: {}; measured the other way round: {}\n",
        counted(all->sure, "pair"), reversed);
}

void print_errors(const std::vector<eval::ErrorSummary>& summaries, const GroupingText& text) {
    TextTable table;
    table.add_column(text.title, TextTable::Align::left);
    for (const char* heading :
         {"rows", "constants", "mean", "median", "90 %", "bias", "rank corr.", "pairs", "reversed"})
        table.add_column(heading);
    for (const eval::ErrorSummary& s : summaries) {
        if (s.grouping != text.grouping) continue;
        table.add_row({s.name, fmt::format("{}", s.rows),
                       s.constants == 0 ? "" : fmt::format("{}", s.constants), share_cell(s.mean_absolute),
                       share_cell(s.median_absolute), share_cell(s.ninetieth), share_cell(s.bias),
                       factor(s.rank_correlation), s.pairs == 0 ? "" : fmt::format("{}", s.pairs),
                       s.pairs == 0 ? "" : fmt::format("{}", s.reversed.size())});
    }
    std::cout << table.text() << '\n';
}

void print_bars(const std::vector<eval::ErrorSummary>& summaries) {
    TextTable table;
    table.add_column("error bars, and constant MFU", TextTable::Align::left);
    for (const char* heading : {"inside", "half-width", "/ median error", "constant MFU", "MFU by chip"})
        table.add_column(heading);
    for (const eval::ErrorSummary& s : summaries)
        if (s.grouping != eval::Grouping::source && s.grouping != eval::Grouping::chip)
            table.add_row({s.name, share_cell(s.inside), share_cell(s.median_width),
                           factor(s.width_over_median()), share_cell(s.constant_mfu),
                           share_cell(s.constant_mfu_by_chip)});
    std::cout
        << "Error bars of 80 %: the share of the measured times inside, half of the interval (median), and\n"
           "that over the median error. For times, the errors of one constant MFU, and of one per chip,\n"
           "fitted to the same rows:\n\n"
        << table.text() << '\n';
}

/// \param summaries  without those of no row
void print_summary(const std::vector<eval::ErrorSummary>& summaries) {
    if (summaries.empty()) return;
    std::cout
        << "Errors of predictions, and the number of constants that were fitted to any of the rows\n"
           "(besides two that all devices share). Pairs are layouts or chips of one model that differ by\n"
           "more than 15 % as measured; reversed are those predicted the other way round. Constants were\n"
           "fitted to calibration rows; left out, without the row's group; validation rows are all "
           "others.\n\n";
    for (const GroupingText& text : groupings)
        if (std::ranges::find(summaries, text.grouping, &eval::ErrorSummary::grouping) != summaries.end())
            print_errors(summaries, text);
    print_bars(summaries);
    print_order(summaries);
}

/// How many rows are set aside or not predicted, and why most of them are.
void print_reasons(const std::vector<eval::Comparison>& comparisons) {
    RowReasons set_aside;
    for (const eval::Comparison& each : comparisons)
        if (each.is_compared() && !each.set_aside.empty()) set_aside.add(each.set_aside);
    std::cout << set_aside.text(comparisons.size(), "set aside") << not_predicted_text(comparisons);
}

std::string ids_text(const std::vector<std::string>& ids) {
    return ids.empty() ? "." : fmt::format(": {}", fmt::join(ids, " "));
}

/// Prints the runs whose predicted memory contradicts the measurement. Published times and peaks are those of
/// runs that fit.
void print_refusals(const eval::RefusalSummary& summary) {
    std::cout << fmt::format("Of {} runs, {} do not fit as predicted{}\n", summary.ran,
                             summary.ran_refused.size(), ids_text(summary.ran_refused));
    if (summary.out_of_memory == 0) return;
    std::cout << fmt::format("Of {} runs that ran out of memory, {} fit as predicted{}\n",
                             summary.out_of_memory, summary.out_of_memory_accepted.size(),
                             ids_text(summary.out_of_memory_accepted));
}

}  // namespace

Json step_rows_json(const std::vector<eval::Comparison>& comparisons) {
    Json json = json_object();
    json["rows"] = Json::array();
    const std::vector<double> weights = eval::shared_weights(comparisons);
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        json["rows"].push_back(row_json(comparisons[i], weights[i]));
    return json;
}

void add_step_summaries(const std::vector<eval::Comparison>& comparisons,
                        const std::vector<eval::ErrorSummary>& summaries, Json& json) {
    json["summary"] = Json::array();
    for (const eval::ErrorSummary& summary : summaries) json["summary"].push_back(summary_json(summary));
    json["memory"] = refusals_json(eval::refusals(comparisons));
}

void print_step_rows(const std::vector<eval::Comparison>& comparisons) {
    TextTable table;
    table.add_column("row", TextTable::Align::left);
    table.add_column("model", TextTable::Align::left);
    table.add_column("chip", TextTable::Align::left);
    table.add_column("layout", TextTable::Align::left);
    table.add_column("predicted");
    table.add_column("measured");
    table.add_column("error");
    table.add_column("", TextTable::Align::left);
    for (const eval::Comparison& c : comparisons) {
        const bool is_time = !c.is_memory() && !c.is_cell();
        const auto value = [&](double v) { return is_time ? human_seconds(v) : human_bytes(v); };
        table.add_row({c.row.id, c.row.model.substr(0, 24), c.row.chip.substr(0, 16), layout_of(c.row),
                       c.is_compared() ? value(c.predicted) : "",
                       std::isfinite(c.measured) ? value(c.measured) : "", signed_share_cell(c.error()),
                       c.set_aside.empty() ? c.why : "set aside: " + c.set_aside});
    }
    std::cout << table.text() << '\n';
}

void print_steps(const std::vector<eval::Comparison>& comparisons,
                 const std::vector<eval::ErrorSummary>& summaries) {
    std::vector<eval::ErrorSummary> filled = summaries;
    std::erase_if(filled, [](const eval::ErrorSummary& summary) { return summary.rows == 0; });
    if (filled.empty()) std::cout << "No row can be compared with a prediction.\n";
    print_summary(filled);
    print_reasons(comparisons);
    print_refusals(eval::refusals(comparisons));
}

}  // namespace dse::app
