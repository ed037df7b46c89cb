#include "app/sweep_options.hpp"

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace dse::app {

void add_sweep_options(CLI::App& app, SweepOptions& options) {
    app.add_option("sweep", options.file, "the sweep, a YAML file")->required()->type_name("SWEEP.yaml");
    app.add_option(
           "--set", options.settings,
           "fixes an axis, or sets a field of workload, system or fidelity, as in tp=8; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

eval::Sweep load(const SweepOptions& options) {
    std::vector<eval::Setting> settings;
    for (const std::string& text : options.settings) settings.push_back(eval::parse_setting(text));
    return eval::load_sweep(options.file, settings);
}

void print_warnings(const eval::Sweep& sweep) {
    for (const config::Diagnostic& warning : sweep.warnings) {
        const std::string place = config::to_string(warning.where);
        std::cerr << fmt::format("{}{}warning: {}: {}\n", place, place.empty() ? "" : ": ", warning.path,
                                 warning.message);
    }
}

}  // namespace dse::app
