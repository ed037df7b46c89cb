#include "app/sweep_of_results.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/carried_sweep.hpp"
#include "app/sweep_answers.hpp"
#include "dse/base/error.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {

void add_sweep_of_results(CLI::App& app, SweepOptions& sweep) {
    app.add_option("--sweep", sweep.file,
                   "the sweep's file, if the copy in the results refers to files that cannot be found")
        ->type_name("SWEEP.yaml");
    app.add_option("--set", sweep.settings, "as in the run that wrote the results; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

study::Sweep sweep_of_results(const std::string& results, const SweepOptions& sweep) {
    const auto own = [&] {
        if (!sweep.file.empty()) return load(sweep);
        const CarriedSweep carried{results};
        return load({carried.path(), sweep.settings});
    };
    study::Sweep loaded = own();
    if (!loaded.space->exec()) expect_same_sweep(loaded, results);
    return loaded;
}

void expect_same_sweep(const study::Sweep& sweep, const std::string& results) {
    const results::ResultsReader reader{results, results::ResultsReader::Extent::finished};
    const results::ResultSchema& found = reader.columns().schema;
    const results::ResultSchema wanted = row_schema(sweep, found.sweep.points);
    if (wanted.sweep.digest == found.sweep.digest) return;
    throw InputError(
        fmt::format("'{}' belongs to another sweep, or files that the sweep names have changed (repeat the "
                    "--set options of the run):\n  {}",
                    results, fmt::join(results::differences(found, wanted), "\n  ")));
}

}  // namespace dse::app
