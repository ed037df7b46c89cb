#include "dse/metrics/pareto.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/unsealed.hpp"
#include "dse/results/hdf5_reader.hpp"

namespace dse::app {
namespace {

struct ParetoOptions {
    std::string file;
    std::string objectives;
    std::vector<std::string> where;
    std::size_t top{0};
    bool json{false};
    bool csv{false};
    results::Trust trust{results::Trust::sealed};
};

/// The front, best in the first objective first.
std::vector<std::size_t> ordered_front(const metrics::CostTable& costs) {
    std::vector<std::size_t> front = metrics::pareto_front(costs);
    std::stable_sort(front.begin(), front.end(), [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(costs[a], costs[b]);
    });
    return front;
}

std::vector<metrics::Objective> chosen(const results::Table& table, const ParetoOptions& options) {
    const std::vector<metrics::Objective> wanted = options.objectives.empty()
                                                       ? table.schema.sweep.objectives
                                                       : metrics::parse_objectives(options.objectives);
    const std::vector<metrics::Objective> objectives = answered(table, wanted);
    for (const metrics::Objective& objective : wanted) {
        if (std::find(objectives.begin(), objectives.end(), objective) == objectives.end()) {
            std::cerr << fmt::format("{}: no point has a value of it, left out\n", objective.metric);
        }
    }
    return objectives;
}

Json front_json(const results::Table& table, const std::vector<std::size_t>& front,
                const std::vector<metrics::Objective>& objectives, std::size_t shown) {
    Json json = json_object();
    json["sweep"] = table.schema.sweep.name;
    json["points"] = table.rows();
    if (table.unsealed) json["unsealed"] = true;
    Json& wanted = json["objectives"] = Json::object();
    for (const auto& objective : objectives) wanted[objective.metric] = metrics::name(objective.direction);
    json["front_size"] = front.size();
    Json& rows = json["rows"] = Json::array();
    for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_json(table, front[i]));
    return json;
}

void print_table(const results::Table& table, const std::vector<std::size_t>& front,
                 const std::vector<metrics::Objective>& objectives, std::size_t shown) {
    std::cout << fmt::format("{}: {} of {} points are on the front{}\n", table.schema.sweep.name,
                             human_count(std::uint64_t{front.size()}),
                             human_count(std::uint64_t{table.rows()}), table.unsealed ? " (UNSEALED)" : "");
    std::cout << rows_text(table, std::span{front}.first(shown), objectives);
    if (shown < front.size()) std::cout << fmt::format("  … and {} more (--top)\n", front.size() - shown);
}

ExitCode pareto(const ParetoOptions& options) {
    const results::Table table = results::read_so_far(options.file, options.trust);
    warn_if_unsealed(table, options.file);
    const std::vector<metrics::Objective> objectives = chosen(table, options);
    std::vector<std::size_t> front;
    if (!objectives.empty()) front = ordered_front(feasible_costs(table, objectives, options.where));
    const std::size_t shown = options.top == 0 ? front.size() : std::min(options.top, front.size());
    if (options.json) {
        print_json(front_json(table, front, objectives, shown));
    } else if (options.csv) {
        write_csv(std::cout, table, std::span{front}.first(shown));
    } else if (!front.empty()) {
        print_table(table, front, objectives, shown);
    }
    if (!front.empty()) return ExitCode::ok;
    std::cerr << fmt::format("dse: {}: no feasible point among {}\n", options.file,
                             human_count(std::uint64_t{table.rows()}));
    return ExitCode::answer_is_no;
}

}  // namespace

Action declare_pareto(CLI::App& app) {
    const auto options = std::make_shared<ParetoOptions>();
    app.add_option("file", options->file, "results of a sweep, finished or still running")
        ->required()
        ->type_name("FILE.h5");
    app.add_option("--objectives", options->objectives,
                   "metrics to trade off, as in iteration_time,mfu:maximize; by default the sweep's")
        ->type_name("A,B,…");
    app.add_option(
           "--where", options->where,
           "only rows for which this holds, as in 'memory_peak < 0.5 * memory_capacity'; may be repeated")
        ->type_name("CONDITION")
        ->allow_extra_args(false);
    app.add_option("--top", options->top,
                   "at most so many points, the best in the first objective first; 0: all")
        ->check(CLI::Range(std::size_t{0}, std::size_t{1} << 40U))
        ->type_name("N");
    CLI::Option* json = app.add_flag("--json", options->json, "print JSON");
    app.add_flag("--csv", options->csv, "print CSV")->excludes(json);
    add_unsealed(app, options->trust);
    return [options] { return pareto(*options); };
}

}  // namespace dse::app
