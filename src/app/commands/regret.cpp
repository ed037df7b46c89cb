#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/questions/best_rows.hpp"
#include "app/questions/masked_rows.hpp"
#include "app/regret_report.hpp"
#include "app/result_columns.hpp"
#include "app/row_conditions.hpp"
#include "app/sweep_of_results.hpp"
#include "app/unsealed.hpp"
#include "app/whole_number.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct RegretOptions {
    std::string file;
    std::vector<std::string> where;
    SweepOptions sweep;
    std::size_t designs{1000};
    std::size_t top{5};
    bool json{false};
    results::Trust trust{results::Trust::sealed};
};

study::Sweep uncertain_sweep(const RegretOptions& options) {
    study::Sweep sweep = sweep_of_results(options.file, options.sweep);
    if (!sweep.uncertain)
        throw InputError(fmt::format(
            "{}: the sweep has no uncertain fields; a regret needs draws (uncertain: …)", options.file));
    return sweep;
}

ExitCode regret(const RegretOptions& options) {
    dist::install_stop_signals();
    results::ResultsReader reader{options.file, results::ResultsReader::Extent::finished, options.trust};
    warn_if_unsealed(reader.columns(), options.file);
    const study::Sweep sweep = uncertain_sweep(options);
    const std::vector<metrics::Objective>& of = sweep.uncertain->of;
    std::vector<BestRows> best;
    best.reserve(of.size());
    for (const metrics::Objective& metric : of)
        best.emplace_back(reader.columns(), std::vector{metric}, options.designs);
    MaskedRows rows_where{options.where};
    VariedAxes varied{reader.columns()};
    reader.each([&](const results::Table& block) {
        const results::Table& rows = rows_where.of(block);
        varied.add(rows);
        for (BestRows& own : best) own.add(rows);
    });
    Json json = json_object();
    json["regrets"] = Json::array();
    bool any = false;
    for (std::size_t metric = 0; metric < of.size(); ++metric) {
        const results::Table designs = best[metric].sorted();
        if (designs.rows() == 0) continue;
        any = true;
        const Regrets regrets = regrets_of(sweep, designs, metric);
        if (options.json) {
            json["regrets"].push_back(regret_json(regrets, options.top));
        } else {
            std::cout << regret_text(regrets, varied.axes(), options.top);
        }
    }
    if (options.json) print_json(json);
    if (any) return ExitCode::ok;
    std::cerr << fmt::format("dse: {}: no feasible point\n", options.file);
    return ExitCode::answer_is_no;
}

}  // namespace

Action declare_regret(CLI::App& app) {
    const auto options = std::make_shared<RegretOptions>();
    app.add_option("file", options->file, "results of a sweep with uncertain fields")
        ->required()
        ->type_name("FILE.h5");
    add_conditions(app, options->where);
    app.add_option("--designs", options->designs,
                   "number of designs to compare, those with the best nominal values")
        ->type_name("N")
        ->check(whole_number(1));
    app.add_option("--top", options->top, "designs to show per metric, smallest worst regret first")
        ->check(whole_number())
        ->type_name("N");
    add_sweep_of_results(app, options->sweep);
    app.add_flag("--json", options->json, "print JSON");
    add_unsealed(app, options->trust);
    return [options] { return regret(*options); };
}

}  // namespace dse::app
