#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/choice_option.hpp"
#include "app/command.hpp"
#include "app/force.hpp"
#include "app/schema/modeline.hpp"
#include "app/start/first_sweep.hpp"

namespace dse::app {
namespace {

const std::map<std::string, Goal> goals{{"training", Goal::training}, {"serving", Goal::serving}};

struct InitOptions {
    FirstSweep sweep;
    std::string output;
    Existing existing{Existing::refuse};
};

ExitCode init(const InitOptions& options) {
    const config::Library library = config::Library::standard("");
    FirstSweep sweep = options.sweep;
    // Results are named after the file of their sweep, and the text names them.
    if (!options.output.empty() && options.output != "-")
        sweep.name = std::filesystem::path{options.output}.stem().string();
    const std::string text = modeline("sweep", library) + first_sweep_text(sweep, library);
    if (options.output == "-") {
        std::cout << text;
        return ExitCode::ok;
    }
    const std::string path = options.output.empty() ? name_of(sweep) + ".yaml" : options.output;
    OutputFile file{path, options.existing};
    file.stream() << text;
    file.close();
    std::cout << fmt::format(
        "{0}: a runnable sweep\n  dse plan {0}    what the sweep would do\n  dse {0}         run "
        "it\n",
        path);
    return ExitCode::ok;
}

}  // namespace

Action declare_init(CLI::App& app) {
    const auto options = std::make_shared<InitOptions>();
    app.add_option("--model", options->sweep.model, "one of `dse list models`, or a file")
        ->type_name("MODEL")
        ->capture_default_str();
    app.add_option("--cluster", options->sweep.cluster, "one of `dse list clusters`, or a file")
        ->type_name("CLUSTER")
        ->capture_default_str();
    app.add_option("--goal", options->sweep.goal, "purpose of the machine (default: training)")
        ->type_name("training|serving")
        ->transform(choice_of(goals));
    app.add_option("--devices", options->sweep.devices,
                   "number of devices; by default, as many as the model needs")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20U))
        ->type_name("N");
    app.add_option("-o,--output", options->output,
                   "sweep to write, by default MODEL_GOAL.yaml here; -: standard output")
        ->type_name("FILE.yaml");
    add_force(app, options->existing);
    return [options] { return init(*options); };
}

}  // namespace dse::app
