#include "app/questions/row_question.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/human.hpp"
#include "app/questions/row_names.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/unsealed.hpp"
#include "dse/space/registry.hpp"

namespace dse::app {
namespace {

/// Metrics of which more is better: named without a direction, they are maximised.
constexpr std::array<std::string_view, 15> more_is_better{"mfu",
                                                          "tokens_per_second",
                                                          "tokens_per_second_per_device",
                                                          "tokens_per_second_per_megawatt",
                                                          "samples_per_second",
                                                          "requests_per_second",
                                                          "output_tokens_per_second",
                                                          "output_tokens_per_second_per_device",
                                                          "goodput",
                                                          "slo_attainment",
                                                          "max_request_rate",
                                                          "cache_hit_rate",
                                                          "host_hit_rate",
                                                          "batch_limit",
                                                          "probability_fits"};

/// Gives objectives that were written without a direction the usual one.
/// \param text  what they were read from
void set_usual_directions(std::string_view text, std::vector<metrics::Objective>& objectives) {
    for (metrics::Objective& objective : objectives) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const bool is_bare = text.substr(0, comma).find(':') == std::string_view::npos;
        const bool more =
            std::find(more_is_better.begin(), more_is_better.end(), objective.metric) != more_is_better.end();
        if (is_bare && more) objective.direction = metrics::Direction::maximize;
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
}

}  // namespace

void add_row_question(CLI::App& app, RowQuestion& question) {
    app.add_option("--objectives", question.objectives,
                   "objectives, as in iteration_time,mfu:maximize; by default the sweep's")
        ->type_name("A,B,…");
    add_conditions(app, question.where);
    app.add_option("--by", question.by,
                   "a separate answer for each value of this axis, or for each combination of several")
        ->type_name("AXIS,…");
    app.add_option("--metrics", question.metrics, "metrics to show besides the objectives, as in mfu,energy")
        ->type_name("A,B,…");
    add_unsealed(app, question.trust);
}

std::vector<metrics::Objective> objectives_of(const std::string& text, const results::Table& columns) {
    if (text.empty()) return columns.schema.sweep.objectives;
    std::vector<std::string> names;
    for (const results::MetricColumn& column : columns.schema.metrics) names.push_back(column.name);
    std::vector<metrics::Objective> objectives = metrics::parse_objectives(text, names);
    set_usual_directions(text, objectives);
    return objectives;
}

std::vector<metrics::Objective> objectives_of(const RowQuestion& question, const results::Table& columns) {
    std::vector<metrics::Objective> objectives = objectives_of(question.objectives, columns);
    for (const metrics::Objective& objective : objectives)
        static_cast<void>(
            metric_column(columns, objective.metric));  // throws if there is none, listing those that exist
    return objectives;
}

std::vector<std::string> shown_metrics_of(const RowQuestion& question, const results::Table& columns) {
    if (question.metrics.empty()) return usual_metrics(columns);
    return parse_metrics(columns, question.metrics);
}

void warn_if_incomplete(results::ResultsReader& reader, const std::string& file) {
    std::error_code ignored;
    const bool is_finished = std::filesystem::exists(file, ignored);
    const results::SweepIdentity& sweep = reader.columns().schema.sweep;
    const bool is_search = std::any_of(sweep.facts.begin(), sweep.facts.end(), [](const auto& fact) {
        return fact.first == "search.method" && !space::walks_grid(fact.second);
    });
    const std::uint64_t settled = is_search ? sweep.points : std::min(reader.settled(), sweep.points);
    if (is_finished && settled == sweep.points) return;
    std::cerr << fmt::format(
        "dse: {} is {}: {}\n", file, is_finished ? "INCOMPLETE" : "not finished",
        settled == sweep.points
            ? "these are the rows so far"
            : fmt::format("{} of {} configurations have not been evaluated",
                          human_count(sweep.points - settled), human_count(sweep.points)));
}

ExitCode none_feasible(const RowQuestion& question, const results::Table& columns, std::uint64_t rows) {
    std::vector<std::string> conditions;
    if (!question.where.empty())
        conditions.push_back(fmt::format("--where {}", fmt::join(question.where, " and ")));
    if (const std::vector<std::string> own = stated_conditions(columns.schema); !own.empty())
        conditions.push_back(fmt::format("the sweep's 'where' ({})", fmt::join(own, " and ")));
    // Points may be feasible, and lack what is asked for: the highest rate, where none was sought.
    const std::string has =
        question.objectives.empty() ? "" : fmt::format(" has a value of {}", question.objectives);
    std::cerr << fmt::format(
        "dse: {}: no feasible point among {}{}{}\n", question.file, human_count(rows), has,
        conditions.empty()
            ? ""
            : fmt::format("{} fulfils {}", has.empty() ? "" : " and", fmt::join(conditions, " and ")));
    return ExitCode::answer_is_no;
}

}  // namespace dse::app
