#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/fill_parts.hpp"
#include "app/human.hpp"
#include "app/row_conditions.hpp"
#include "app/sweep_of_results.hpp"
#include "app/sweep_options.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/results/front_rows.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct PartsOptions {
    std::string file;
    SweepOptions sweep;
    bool all{false};
};

/// The points whose parts are wanted.
std::vector<space::Point> points_of(const PartsOptions& options) {
    results::ResultsReader reader{options.file, results::ResultsReader::Extent::finished};
    std::vector<space::Point> all;
    results::FrontRows front{reader.columns(), reader.columns().schema.sweep.objectives};
    RowFilter filter;
    reader.each([&](const results::Table& block) {
        if (!options.all) return front.add(block, filter.statuses(block));
        const std::vector<space::Point> points = points_without_parts(block);
        all.insert(all.end(), points.begin(), points.end());
    });
    return options.all ? all : points_without_parts(front.rows());
}

ExitCode fill_in(const PartsOptions& options) {
    dist::install_stop_signals();
    const auto sweep = std::make_shared<const study::Sweep>(load_of_results(options.file, options.sweep));
    const std::vector<space::Point> points = points_of(options);
    fill_parts(sweep, options.file, points, Logger{LogLevel::info});
    const char* rows = options.all ? "rows" : "rows of the front";
    if (points.empty()) {
        std::cout << fmt::format("{}: all {} already have the parts of their iteration time{}\n",
                                 options.file, rows, options.all ? "" : " (--all adds them to the others)");
        return ExitCode::ok;
    }
    std::cout << fmt::format("{}: added the parts of their iteration time to {} {}\n", options.file,
                             human_count(std::uint64_t{points.size()}), rows);
    return ExitCode::ok;
}

}  // namespace

Action declare_parts(CLI::App& app) {
    const auto options = std::make_shared<PartsOptions>();
    app.add_option("file", options->file, "results")->required()->type_name("FILE.h5");
    add_sweep_options(app, options->sweep);
    app.get_option("sweep")->required(false)->description("its sweep; by default the copy in the file");
    app.add_flag("--all", options->all,
                 "for all rows; by default only for the front of the sweep's objectives");
    app.footer(
        "Evaluates rows that lack the parts of their iteration time again, and stores the parts in the "
        "file.");
    return [options] { return fill_in(*options); };
}

}  // namespace dse::app
