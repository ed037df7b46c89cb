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
    app.add_option("--set", sweep.settings,
                   "setting of the run that wrote the results, if the file does not hold it; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
}

study::Sweep load_of_results(const std::string& results, SweepOptions sweep,
                             const std::vector<std::string>& added) {
    const results::ResultsReader reader{results, results::ResultsReader::Extent::finished};
    const results::SweepIdentity& own = reader.columns().schema.sweep;
    if (sweep.settings.empty()) sweep.settings = own.settings;
    sweep.settings.insert(sweep.settings.end(), added.begin(), added.end());
    if (!sweep.file.empty()) return load(sweep);
    const CarriedSweep carried{results, own.yaml};
    sweep.file = carried.path();
    return load(sweep);
}

study::Sweep sweep_of_results(const std::string& results, const SweepOptions& sweep) {
    study::Sweep loaded = load_of_results(results, sweep);
    if (!loaded.space->exec()) expect_same_sweep(loaded, results);
    return loaded;
}

void expect_same_sweep(const study::Sweep& sweep, const std::string& results) {
    const results::ResultsReader reader{results, results::ResultsReader::Extent::finished};
    const results::ResultSchema& found = reader.columns().schema;
    const results::ResultSchema wanted = row_schema(sweep, found.sweep.points);
    if (wanted.sweep.digest == found.sweep.digest) return;
    const std::string hint =
        found.sweep.settings.empty()
            ? "repeat the --set options of the run"
            : fmt::format("the run had --set {}", fmt::join(found.sweep.settings, " --set "));
    throw InputError(
        fmt::format("'{}' belongs to another sweep, or files that the sweep names have changed ({}):\n  {}",
                    results, hint, fmt::join(results::differences(found, wanted), "\n  ")));
}

}  // namespace dse::app
