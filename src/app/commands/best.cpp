#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/output_width.hpp"
#include "app/questions/asked_rows.hpp"
#include "app/questions/best_rows.hpp"
#include "app/questions/robust_rows.hpp"
#include "app/questions/row_groups.hpp"
#include "app/questions/row_question.hpp"
#include "app/result_columns.hpp"

namespace dse::app {
namespace {

struct BestOptions {
    RowQuestion question;
    std::size_t top{10};
    bool json{false};
    bool csv{false};
};

struct BestAnswer {
    AskedRows asked;
    std::vector<metrics::Objective> objectives{};
    std::vector<std::string> metrics{};
    std::map<RowGroups::Values, BestRows> groups{};
    std::uint64_t feasible{0};
    std::uint64_t valueless{0};  ///< points with a result, but not of the objective
    std::size_t tied{0};         ///< points that the best is not surely better than; without --by only
};

/// Points that the best one is not surely better than, itself included, given the errors of predictions; 0 if
/// there are no error bars of the objective.
std::size_t count_tied(const BestAnswer& answer, const RowQuestion& question) {
    if (answer.feasible == 0 || !RobustFront::applies_to(answer.asked.columns())) return 0;
    const auto& [values, rows] = *answer.groups.begin();
    const results::Table best = rows.sorted();
    if (!RobustFront::has_bars(best, 0, answer.objectives.front().metric)) return 0;
    results::Table first = results::without_rows(best);
    first.append(best, 0);
    std::map<RowGroups::Values, RobustFront> fronts;
    fronts.try_emplace(values, first, std::vector{answer.objectives.front()}, shared_errors(question));
    std::size_t tied = 0;
    each_robust_row(question, fronts, [&](const auto&, const auto&, std::size_t) { ++tied; });
    return tied;
}

BestAnswer read_best(const BestOptions& options) {
    const RowQuestion& question = options.question;
    BestAnswer answer{.asked = AskedRows{question}};
    answer.asked.warn();
    const results::Table& columns = answer.asked.columns();
    answer.objectives = objectives_of(question, columns);
    answer.metrics = shown_metrics_of(question, columns);
    answer.asked.each([&](const RowGroups::Values& values, const results::Table& rows) {
        answer.groups.try_emplace(values, columns, answer.objectives, options.top).first->second.add(rows);
    });
    for (const auto& [values, rows] : answer.groups) {
        answer.feasible += rows.answered();
        answer.valueless += rows.valueless();
    }
    if (answer.asked.by().empty()) answer.tied = count_tied(answer, question);
    return answer;
}

Json best_json(const BestAnswer& answer) {
    Json json = json_object();
    json["sweep"] = answer.asked.columns().schema.sweep.name;
    if (const auto& settings = answer.asked.columns().schema.sweep.settings; !settings.empty())
        json["settings"] = settings;
    json["points"] = answer.asked.points();
    json["feasible"] = answer.feasible;
    if (answer.valueless > 0) json["without_objective"] = answer.valueless;
    if (answer.asked.columns().unsealed) json["unsealed"] = true;
    if (!answer.asked.by().empty()) json["by"] = answer.asked.by_text();
    if (answer.tied > 0) json["not_surely_worse"] = answer.tied - 1;
    json["objective"] = metrics::to_string(answer.objectives.front());
    Json& rows = json["rows"] = Json::array();
    for (const auto& [values, best] : answer.groups) {
        const results::Table table = best.sorted();
        for (std::size_t row = 0; row < table.rows(); ++row) rows.push_back(row_json(table, row));
    }
    return json;
}

/// Appends the best rows of one group of --by, the first of which is labelled with it.
void add_group(const BestAnswer& answer, const RowGroups::Values& values, const results::Table& best,
               results::Table& rows, std::vector<std::string>& labels) {
    for (std::size_t row = 0; row < best.rows(); ++row) {
        rows.append(best, row);
        if (answer.asked.by().empty()) continue;
        labels.push_back(row == 0 ? answer.asked.group_text(values) : "");
    }
}

void print_best_text(const BestAnswer& answer) {
    std::cout << paragraph(fmt::format("{}: the best of {} feasible points ({} in all) by {}{}",
                                       results::title(answer.asked.columns().schema.sweep),
                                       human_count(answer.feasible), human_count(answer.asked.points()),
                                       metrics::to_string(answer.objectives.front()),
                                       answer.asked.columns().unsealed ? " (UNSEALED)" : ""));
    results::Table rows = results::without_rows(answer.asked.columns());
    std::vector<std::string> labels;
    for (const auto& [values, best] : answer.groups) add_group(answer, values, best.sorted(), rows, labels);
    std::vector<std::size_t> varied = answer.asked.varied();
    for (const std::size_t axis : answer.asked.by()) std::erase(varied, axis);  // the labels tell it
    std::cout << rows_text(rows, first_rows(rows), answer.objectives, varied, labels, answer.metrics);
    std::cout << fitted_lines(answer.asked.remarks());
    if (answer.valueless > 0)
        std::cout << paragraph(
            fmt::format("{} more points have a result but no {}, for which something is not "
                        "known (such as a price)",
                        human_count(answer.valueless), answer.objectives.front().metric));
    if (answer.tied > 1)
        std::cout << paragraph(fmt::format(
            "{} not surely worse than the first, given the errors of predictions",
            answer.tied == 2 ? "1 other point is" : human_count(answer.tied - 1) + " others are"));
}

void print_best_csv(const BestAnswer& answer) {
    write_csv_heading(std::cout, answer.asked.columns());
    for (const auto& [values, best] : answer.groups) {
        const results::Table rows = best.sorted();
        write_csv_rows(std::cout, rows, first_rows(rows));
    }
}

ExitCode best(const BestOptions& options) {
    const BestAnswer answer = read_best(options);
    if (options.json) {
        print_json(best_json(answer));
    } else if (options.csv) {
        print_best_csv(answer);
    } else if (answer.feasible > 0) {
        print_best_text(answer);
    }
    if (answer.feasible > 0) return ExitCode::ok;
    return none_feasible(options.question, answer.asked.columns(), answer.asked.points());
}

}  // namespace

Action declare_best(CLI::App& app) {
    const auto options = std::make_shared<BestOptions>();
    app.add_option("file", options->question.file, "results of a sweep, finished or still running")
        ->required()
        ->type_name("FILE.h5");
    add_row_question(app, options->question);
    app.add_option("--top", options->top,
                   "number of points, for each answer of --by; sorted by the first objective")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
        ->capture_default_str();
    CLI::Option* json = app.add_flag("--json", options->json, "print JSON");
    app.add_flag("--csv", options->csv, "print CSV")->excludes(json);
    return [options] { return best(*options); };
}

}  // namespace dse::app
