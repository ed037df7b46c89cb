#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/advice_report.hpp"
#include "app/command.hpp"
#include "app/json_output.hpp"
#include "app/run_layouts.hpp"
#include "app/sweep_options.hpp"
#include "dse/base/error.hpp"
#include "dse/config/quantity.hpp"
#include "dse/eval/advice/own_step.hpp"
#include "dse/eval/advice/staircase.hpp"
#include "dse/eval/error_table.hpp"

namespace dse::app {
namespace {

struct AdviseOptions {
    SweepOptions sweep;
    std::string measured;
    bool json{false};
};

double measured_seconds(const std::string& text) {
    std::string error;
    const auto seconds = config::parse_quantity(text, config::dimension_of(Seconds{}), error);
    if (!seconds) throw InputError(fmt::format("--measured: {}", error));
    if (!(*seconds > 0.0)) throw InputError("--measured: must be above 0");
    return *seconds;
}

ExitCode advise(const AdviseOptions& options) {
    Advice advice;
    advice.measured = measured_seconds(options.measured);
    RunLayouts layouts = load_run_layouts(options.sweep);
    const study::Sweep& own = layouts.own;
    study::Sweep& all = layouts.all;
    print_warnings(own);
    const study::PointChoice choice = study::first_point(own);
    print_open(own, choice);
    const space::Point point = own_point(layouts, choice.point);
    try {
        advice.step = eval::fit_own_step(all, point, advice.measured);
    } catch (const ModelError& error) {
        throw InputError(
            fmt::format("{}: the step of the run cannot be predicted: {}", all.file, error.what()));
    }
    if (advice.step.share_of_peak > 1.0)
        throw InputError(fmt::format(
            "--measured: in {}, the operations of the step would run at {:.3g} times the peak of "
            "its devices (check the unit, and that {} describes this run: model, batch, sequence, "
            "devices)",
            options.measured, advice.step.share_of_peak, all.file));
    advice.correlation = eval::read_errors(all.library).correlation;
    advice.staircase = eval::climb(all, point);
    if (options.json) {
        print_json(advice_json(advice, *all.space, point));
    } else {
        std::cout << advice_text(advice, *all.space, point);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_advise(CLI::App& app) {
    const auto options = std::make_shared<AdviseOptions>();
    add_sweep_options(app, options->sweep);
    app.add_option("--measured", options->measured, "measured time of one step, as in 12.4s")
        ->required()
        ->type_name("TIME");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return advise(*options); };
}

}  // namespace dse::app
