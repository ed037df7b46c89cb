#include <algorithm>
#include <iostream>
#include <memory>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/csv.hpp"
#include "app/human.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/unsealed.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/results_reader.hpp"

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

/// What is printed of a file.
struct Front {
    results::Table rows;  ///< the best in the first objective first
    std::vector<metrics::Objective> objectives;
    std::uint64_t points{0};          ///< of the whole file
    std::vector<std::size_t> varied;  ///< axes that vary in the whole file
};

/// Objectives without any value are left out, and named on stderr.
void name_unanswered(const std::vector<metrics::Objective>& wanted,
                     const std::vector<metrics::Objective>& found) {
    for (const metrics::Objective& objective : wanted) {
        if (std::find(found.begin(), found.end(), objective) == found.end()) {
            std::cerr << fmt::format("{}: no point has a value of it, left out\n", objective.metric);
        }
    }
}

results::Table sorted(const results::FrontRows& front) {
    results::Table rows = results::without_rows(front.rows());
    for (const std::size_t row : results::ordered_rows(front.rows(), front.answered())) {
        rows.append(front.rows(), row);
    }
    return rows;
}

Front read_front(const ParetoOptions& options) {
    results::ResultsReader reader{options.file, results::ResultsReader::Extent::so_far, options.trust};
    warn_if_unsealed(reader.columns(), options.file);
    const std::vector<metrics::Objective> wanted = options.objectives.empty()
                                                       ? reader.columns().schema.sweep.objectives
                                                       : metrics::parse_objectives(options.objectives);
    RowFilter filter{options.where};
    results::FrontRows front{reader.columns(), wanted};
    VariedAxes varied{reader.columns()};
    std::uint64_t points = 0;
    reader.each([&](const results::Table& block) {
        points += block.rows();
        front.add(block, filter.statuses(block));
        varied.add(block);
    });
    name_unanswered(wanted, front.answered());
    return {sorted(front), front.answered(), points, varied.axes()};
}

Json front_json(const Front& front, std::size_t shown) {
    Json json = json_object();
    json["sweep"] = front.rows.schema.sweep.name;
    json["points"] = front.points;
    if (front.rows.unsealed) json["unsealed"] = true;
    Json& wanted = json["objectives"] = Json::object();
    for (const auto& objective : front.objectives)
        wanted[objective.metric] = metrics::name(objective.direction);
    json["front_size"] = front.rows.rows();
    Json& rows = json["rows"] = Json::array();
    for (std::size_t i = 0; i < shown; ++i) rows.push_back(row_json(front.rows, i));
    return json;
}

void print_table(const Front& front, std::span<const std::size_t> shown) {
    std::cout << fmt::format("{}: {} of {} points are on the front{}\n", front.rows.schema.sweep.name,
                             human_count(std::uint64_t{front.rows.rows()}), human_count(front.points),
                             front.rows.unsealed ? " (UNSEALED)" : "");
    std::cout << rows_text(front.rows, shown, front.objectives, front.varied);
    const std::size_t left = front.rows.rows() - shown.size();
    if (left > 0) std::cout << fmt::format("  … and {} more (--top)\n", left);
}

ExitCode pareto(const ParetoOptions& options) {
    const Front front = read_front(options);
    const std::size_t size = front.rows.rows();
    std::vector<std::size_t> shown(options.top == 0 ? size : std::min(options.top, size));
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    if (options.json) {
        print_json(front_json(front, shown.size()));
    } else if (options.csv) {
        write_csv_heading(std::cout, front.rows);
        write_csv_rows(std::cout, front.rows, shown);
    } else if (size > 0) {
        print_table(front, shown);
    }
    if (size > 0) return ExitCode::ok;
    std::cerr << fmt::format("dse: {}: no feasible point among {}\n", options.file,
                             human_count(front.points));
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
