#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/number_between.hpp"
#include "app/output_width.hpp"
#include "app/questions/row_names.hpp"
#include "app/questions/row_question.hpp"
#include "app/questions/rows_diff.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/text_table.hpp"
#include "app/unsealed.hpp"
#include "app/whole_number.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct DiffOptions {
    std::string a;
    std::string b;
    std::string objectives;
    std::vector<std::string> where;
    double tolerance{0.0};
    std::size_t top{10};
    bool json{false};
    results::Trust trust{results::Trust::sealed};
};

/// The front of one file, and its rows that are not on the front of the other.
struct FrontSide {
    results::Table rows;  ///< in the order of the first objective, best first
    std::vector<std::size_t> own;
};

struct Differences {
    std::vector<std::string> sweep;  ///< differences between the sweeps, one line each
    std::unique_ptr<RowsDiff> rows;
    results::Table columns_b;
    std::uint64_t rows_b{0};
    std::vector<metrics::Objective> objectives;
    FrontSide a;
    FrontSide b;

    [[nodiscard]] std::size_t on_both() const { return a.rows.rows() - a.own.size(); }
    [[nodiscard]] bool none() const {
        return sweep.empty() && rows->only_a() + rows->only_b() + rows->repeated() == 0 &&
               rows->equal() == rows->in_both();
    }
};

results::ResultsReader opened_side(const DiffOptions& options, const std::string& file) {
    results::ResultsReader reader{file, results::ResultsReader::Extent::so_far, options.trust};
    warn_if_unsealed(reader.columns(), file);
    return reader;
}

std::set<std::string> keys_of(const results::Table& rows, const RowKey& key) {
    std::set<std::string> keys;
    for (std::size_t row = 0; row < rows.rows(); ++row) keys.insert(key.of(rows, row));
    return keys;
}

void mark_own(FrontSide& side, const RowKey& key, const std::set<std::string>& others) {
    for (std::size_t row = 0; row < side.rows.rows(); ++row) {
        if (!others.contains(key.of(side.rows, row))) side.own.push_back(row);
    }
}

Differences differences_of(const DiffOptions& options) {
    results::ResultsReader reader_a = opened_side(options, options.a);
    results::ResultsReader reader_b = opened_side(options, options.b);
    Differences found;
    found.columns_b = reader_b.columns();
    found.sweep = results::differences(reader_a.columns().schema, found.columns_b.schema);
    const RowQuestion question{.file = options.a, .objectives = options.objectives};
    found.objectives = objectives_of(question, reader_a.columns());
    results::Table all = reader_a.columns();
    results::FrontRows front_a{reader_a.columns(), found.objectives};
    results::FrontRows front_b{found.columns_b, found.objectives};
    RowFilter filter_a{options.where};
    RowFilter filter_b{options.where};
    reader_a.each([&](const results::Table& block) {
        for (std::size_t row = 0; row < block.rows(); ++row) all.append(block, row);
        front_a.add(block, filter_a.statuses(block));
    });
    found.rows = std::make_unique<RowsDiff>(std::move(all), found.columns_b, options.tolerance);
    reader_b.each([&](const results::Table& block) {
        found.rows_b += block.rows();
        found.rows->add(block);
        front_b.add(block, filter_b.statuses(block));
    });
    found.a.rows = results::best_first(front_a.rows(), front_a.answered());
    found.b.rows = results::best_first(front_b.rows(), front_b.answered());
    const auto keys_a = keys_of(found.a.rows, found.rows->key_of_a());
    const auto keys_b = keys_of(found.b.rows, found.rows->key_of_b());
    mark_own(found.a, found.rows->key_of_a(), keys_b);
    mark_own(found.b, found.rows->key_of_b(), keys_a);
    return found;
}

/// The best value of an objective on a front; NaN if the front is empty.
double best_of(const results::Table& front, const metrics::Objective& objective) {
    double best = metrics::not_a_number;
    const double sign = objective.direction == metrics::Direction::minimize ? 1.0 : -1.0;
    for (const double value : front.metric(objective.metric)) {
        if (!(sign * best <= sign * value)) best = value;
    }
    return best;
}

std::string program_of(const results::Table& table) {
    return fmt::format("dse {} ({})", table.provenance.dse_version, table.provenance.git_hash);
}

void print_row_differences(const Differences& found) {
    const RowsDiff& rows = *found.rows;
    std::cout << fitted_lines(fmt::format("rows: {} in both, {} of them equal; {} only in A, {} only in B\n",
                                          human_count(rows.in_both()), human_count(rows.equal()),
                                          human_count(rows.only_a()), human_count(rows.only_b())));
    if (!rows.left_out().empty())
        std::cout << fitted_lines(fmt::format("  one file has no {}: rows are matched without it\n",
                                              fmt::join(rows.left_out(), ", ")));
    if (rows.repeated() > 0)
        std::cout << fitted_lines(
            fmt::format("  {} with the same axis values as another row of the same file: not matched\n",
                        counted(rows.repeated(), "row")));
    for (const auto& [change, status] : rows.statuses())
        std::cout << fitted_lines(fmt::format("  {} → {}: {}, as {} ({})\n", space::name(change.first),
                                              space::name(change.second), counted(status.rows, "row"),
                                              status.example, status.reason));
}

void print_metric_differences(const Differences& found) {
    const std::vector<MetricDifference> metrics = found.rows->metrics();
    if (metrics.empty()) return;
    TextTable table;
    for (const char* heading : {"metric", "rows", "largest", "A", "B"})
        table.add_column(heading, heading == std::string_view{"metric"} ? TextTable::Align::left
                                                                        : TextTable::Align::right);
    table.add_column("at", TextTable::Align::left);
    for (const MetricDifference& metric : metrics) {
        const results::MetricColumn& column = metric_column(found.columns_b, metric.metric);
        table.add_row({metric.metric, human_count(metric.rows), human_share(metric.largest),
                       metric_text(column, metric.a), metric_text(column, metric.b), metric.example});
    }
    std::cout << table.text(2);
}

void print_own(const char* name, const FrontSide& side, const Differences& found, std::size_t top) {
    if (side.own.empty()) return;
    VariedAxes varied{results::without_rows(side.rows)};
    varied.add(side.rows);
    const std::size_t shown = top == 0 ? side.own.size() : std::min(top, side.own.size());
    std::cout << fmt::format("only on the front of {}:\n", name)
              << rows_text(side.rows, std::span{side.own}.first(shown), found.objectives, varied.axes());
    if (shown < side.own.size())
        std::cout << fitted_lines(fmt::format("  … and {} more (--top)\n", side.own.size() - shown));
}

void print_fronts(const Differences& found, std::size_t top) {
    std::cout << fitted_lines(fmt::format("fronts: {} in A, {} in B, {} on both\n",
                                          counted(found.a.rows.rows(), "point"), found.b.rows.rows(),
                                          found.on_both()));
    TextTable table;
    table.add_column("best", TextTable::Align::left);
    for (const char* heading : {"A", "B", "B against A"}) table.add_column(heading);
    for (const metrics::Objective& objective : found.objectives) {
        const double a = best_of(found.a.rows, objective);
        const double b = best_of(found.b.rows, objective);
        const std::string& unit = metric_column(found.columns_b, objective.metric).unit;
        table.add_row({objective.metric, human_value(a, unit), human_value(b, unit),
                       a > 0.0 && b > 0.0 ? fmt::format("{:+.2f} %", 100.0 * (b - a) / a) : "–"});
    }
    std::cout << table.text(2);
    print_own("A", found.a, found, top);
    print_own("B", found.b, found, top);
}

void print_differences(const DiffOptions& options, const Differences& found) {
    const results::Table& a = found.rows->a();
    std::cout << fitted_lines(fmt::format("A {}: {}, {}, {}\nB {}: {}, {}, {}\n", options.a,
                                          results::title(a.schema.sweep),
                                          counted(std::uint64_t{a.rows()}, "row"), program_of(a), options.b,
                                          results::title(found.columns_b.schema.sweep),
                                          counted(found.rows_b, "row"), program_of(found.columns_b)));
    std::cout << (found.sweep.empty() ? "sweeps: the same\n" : "sweeps:\n");
    for (const std::string& line : found.sweep) std::cout << fitted_lines("  " + line + '\n');
    print_row_differences(found);
    print_metric_differences(found);
    print_fronts(found, options.top);
}

Json side_json(const std::string& file, const results::Table& columns, std::uint64_t rows) {
    return Json{{"file", file},
                {"sweep", columns.schema.sweep.name},
                {"rows", rows},
                {"dse_version", columns.provenance.dse_version},
                {"git_hash", columns.provenance.git_hash}};
}

Json fronts_json(const Differences& found) {
    Json json{{"a", found.a.rows.rows()}, {"b", found.b.rows.rows()}, {"both", found.on_both()}};
    for (const metrics::Objective& objective : found.objectives)
        json["best"][objective.metric] = {{"a", best_of(found.a.rows, objective)},
                                          {"b", best_of(found.b.rows, objective)}};
    for (const auto& [name, side] : {std::pair{"only_a", &found.a}, std::pair{"only_b", &found.b}}) {
        Json& rows = json[name] = Json::array();
        for (const std::size_t row : side->own) rows.push_back(row_json(side->rows, row));
    }
    return json;
}

Json diff_json(const DiffOptions& options, const Differences& found) {
    const RowsDiff& rows = *found.rows;
    Json json = json_object();
    json["equal"] = found.none();
    json["a"] = side_json(options.a, rows.a(), rows.a().rows());
    json["b"] = side_json(options.b, found.columns_b, found.rows_b);
    json["sweep"] = found.sweep;
    json["in_both"] = rows.in_both();
    json["equal_rows"] = rows.equal();
    json["only_a"] = rows.only_a();
    json["only_b"] = rows.only_b();
    json["repeated"] = rows.repeated();
    json["left_out"] = rows.left_out();
    Json& statuses = json["statuses"] = Json::array();
    for (const auto& [change, status] : rows.statuses())
        statuses.push_back({{"from", space::name(change.first)},
                            {"to", space::name(change.second)},
                            {"rows", status.rows},
                            {"example", status.example},
                            {"reason", status.reason}});
    Json& list = json["rows"] = Json::array();
    for (const MetricDifference& metric : rows.metrics())
        list.push_back({{"metric", metric.metric},
                        {"rows", metric.rows},
                        {"largest", metric.largest},
                        {"a", metric.a},
                        {"b", metric.b},
                        {"example", metric.example}});
    json["fronts"] = fronts_json(found);
    return json;
}

ExitCode diff(const DiffOptions& options) {
    const Differences found = differences_of(options);
    if (options.json) {
        print_json(diff_json(options, found));
    } else {
        print_differences(options, found);
    }
    return found.none() ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_diff(CLI::App& app) {
    const auto options = std::make_shared<DiffOptions>();
    app.add_option("a", options->a, "results of a sweep")->required()->type_name("A.h5");
    app.add_option("b", options->b, "results to compare with")->required()->type_name("B.h5");
    app.add_option("--objectives", options->objectives, "objectives of the fronts; by default those of A")
        ->type_name("A,B,…");
    app.add_option("--where", options->where,
                   "restrict the fronts to rows that fulfil this condition; may be repeated")
        ->type_name("CONDITION")
        ->allow_extra_args(false);
    app.add_option("--tolerance", options->tolerance,
                   "treat numbers as equal if they differ by at most this fraction of the larger one")
        ->check(number_between(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--top", options->top, "rows of each front to show; 0: all")
        ->check(whole_number())
        ->capture_default_str();
    app.add_flag("--json", options->json, "print JSON");
    add_unsealed(app, options->trust);
    return [options] { return diff(*options); };
}

}  // namespace dse::app
