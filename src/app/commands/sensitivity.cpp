#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/effects_report.hpp"
#include "app/output_width.hpp"
#include "app/price_report.hpp"
#include "app/questions/row_question.hpp"
#include "app/row_conditions.hpp"
#include "app/sweep_of_results.hpp"
#include "app/unsealed.hpp"
#include "app/whole_number.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct SensitivityOptions {
    std::string file;
    std::string objectives;
    std::vector<std::string> where;
    SweepOptions sweep;
    std::size_t prices{3};
    std::size_t interactions{5};
    bool json{false};
    results::Trust trust{results::Trust::sealed};
};

std::vector<PricedRow> priced(const SensitivityOptions& options, const results::Table& front,
                              const std::vector<metrics::Objective>& objectives) {
    if (options.prices == 0 || front.rows() == 0) return {};
    const study::Sweep sweep = sweep_of_results(options.file, options.sweep);
    if (sweep.space->exec()) return {};  // the machine of a program is unknown
    std::vector<std::string> names;
    names.reserve(objectives.size());
    for (const metrics::Objective& objective : objectives) names.push_back(objective.metric);
    return price_rows(sweep, front, options.prices, names);
}

ExitCode sensitivity(const SensitivityOptions& options) {
    dist::install_stop_signals();
    results::ResultsReader reader{options.file, results::ResultsReader::Extent::finished, options.trust};
    warn_if_unsealed(reader.columns(), options.file);
    const std::vector<metrics::Objective> objectives = objectives_of(options.objectives, reader.columns());
    RowFilter filter{options.where};
    EffectsReport effects{reader.columns(), objectives};
    results::FrontRows front{reader.columns(), objectives};
    reader.each([&](const results::Table& block) {
        const std::span<const space::Status> statuses = filter.statuses(block);
        effects.add(block, statuses);
        front.add(block, statuses);
    });
    const results::Table rows = results::best_first(front.rows(), front.answered());
    const std::vector<PricedRow> prices = priced(options, rows, objectives);
    if (options.json) {
        Json json = json_object();
        json.update(effects.json());
        json["prices"] = price_json(rows, prices);
        print_json(json);
    } else {
        std::cout << fitted_lines(effects.text(options.interactions) + price_text(rows, prices));
    }
    if (rows.rows() > 0) return ExitCode::ok;
    std::cerr << fmt::format("dse: {}: no feasible point\n", options.file);
    return ExitCode::answer_is_no;
}

}  // namespace

Action declare_sensitivity(CLI::App& app) {
    const auto options = std::make_shared<SensitivityOptions>();
    app.add_option("file", options->file, "results of a sweep")->required()->type_name("FILE.h5");
    app.add_option("--objectives", options->objectives, "objectives; by default the sweep's")
        ->type_name("A,B,…");
    add_conditions(app, options->where);
    app.add_option("--prices", options->prices,
                   "points of the front for which the machine parameters are valued, sorted by the first "
                   "objective; 0: none")
        ->check(whole_number())
        ->type_name("N");
    app.add_option("--interactions", options->interactions, "maximum number of pairs of axes to list")
        ->check(whole_number())
        ->type_name("N");
    add_sweep_of_results(app, options->sweep);
    app.add_flag("--json", options->json, "print JSON");
    add_unsealed(app, options->trust);
    return [options] { return sensitivity(*options); };
}

}  // namespace dse::app
