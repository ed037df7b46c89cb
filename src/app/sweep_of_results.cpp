#include "app/sweep_of_results.hpp"

#include <CLI/CLI.hpp>

#include "app/carried_sweep.hpp"
#include "app/sweep_options.hpp"

namespace dse::app {

void add_sweep_of_results(CLI::App& app, std::string& file) {
    app.add_option("--sweep", file,
                   "the sweep's file, if the copy in the results refers to files that cannot be found")
        ->type_name("SWEEP.yaml");
}

study::Sweep sweep_of_results(const std::string& results, const std::string& file) {
    if (!file.empty()) return load({file, {}});
    const CarriedSweep carried{results};
    return load({carried.path(), {}});
}

}  // namespace dse::app
