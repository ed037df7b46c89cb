#include "app/sweep_options.hpp"

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/output_width.hpp"
#include "dse/base/error.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/study/setting.hpp"

namespace dse::app {

void add_sweep_options(CLI::App& app, SweepOptions& options) {
    app.add_option("sweep", options.file, "the sweep, a YAML file")->required()->type_name("SWEEP.yaml");
    app.add_option("--set", options.settings,
                   "fix an axis, or set a field of workload, system or fidelity, as in tp=8; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

study::Sweep load(const SweepOptions& options) {
    std::vector<study::Setting> settings;
    for (const std::string& text : options.settings) settings.push_back(study::parse_setting(text));
    return eval::load_sweep(options.file, settings);
}

study::Sweep load_simulated(const SweepOptions& options) {
    study::Sweep sweep = load(options);
    if (!sweep.space->exec()) return sweep;
    throw InputError(
        fmt::format("{}: its points are evaluated by a program (exec), not simulated by dse", sweep.file));
}

void print_warnings(const study::Sweep& sweep) {
    for (const config::Diagnostic& warning : sweep.warnings) {
        const std::string place = config::to_string(warning.where);
        std::cerr << fmt::format("{}{}warning: {}: {}\n", place, place.empty() ? "" : ": ", warning.path,
                                 warning.message);
    }
}

void print_open(const study::Sweep& sweep, const study::PointChoice& choice) {
    if (choice.open.empty()) return;
    std::vector<std::string> names;
    for (const std::size_t axis : choice.open) {
        names.push_back(fmt::format("{}={}", sweep.space->slot_name(axis),
                                    sweep.space->format(axis, choice.point.values[axis])));
    }
    std::cerr << paragraph(fmt::format("not set, using the first valid value: {}", fmt::join(names, " ")));
}

}  // namespace dse::app
