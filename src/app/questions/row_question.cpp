#include "app/questions/row_question.hpp"

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/human.hpp"
#include "app/questions/row_names.hpp"
#include "app/unsealed.hpp"

namespace dse::app {

void add_row_question(CLI::App& app, RowQuestion& question) {
    app.add_option("--objectives", question.objectives,
                   "objectives, as in iteration_time,mfu:maximize; by default the sweep's")
        ->type_name("A,B,…");
    app.add_option(
           "--where", question.where,
           "only rows that fulfil this condition, as in 'tp <= 8 and memory_peak < 0.5 * memory_capacity'; "
           "may be repeated")
        ->type_name("CONDITION")
        ->allow_extra_args(false);
    app.add_option("--by", question.by, "a separate answer for each value of this axis")->type_name("AXIS");
    app.add_option("--metrics", question.metrics, "metrics to show besides the objectives, as in mfu,energy")
        ->type_name("A,B,…");
    add_unsealed(app, question.trust);
}

std::vector<metrics::Objective> objectives_of(const std::string& text, const results::Table& columns) {
    if (text.empty()) return columns.schema.sweep.objectives;
    std::vector<std::string> names;
    for (const results::MetricColumn& column : columns.schema.metrics) names.push_back(column.name);
    return metrics::parse_objectives(text, names);
}

std::vector<metrics::Objective> objectives_of(const RowQuestion& question, const results::Table& columns) {
    const std::vector<metrics::Objective> objectives = objectives_of(question.objectives, columns);
    for (const metrics::Objective& objective : objectives)
        static_cast<void>(
            metric_column(columns, objective.metric));  // throws if there is none, listing those that exist
    return objectives;
}

std::vector<std::string> shown_metrics_of(const RowQuestion& question, const results::Table& columns) {
    if (question.metrics.empty()) return {"mfu", "memory_peak"};
    return parse_metrics(columns, question.metrics);
}

ExitCode none_feasible(const RowQuestion& question, std::uint64_t rows) {
    std::cerr << fmt::format("dse: {}: no feasible point among {}\n", question.file, human_count(rows));
    return ExitCode::answer_is_no;
}

}  // namespace dse::app
