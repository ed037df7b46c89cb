#include "dse/results/merge.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/human.hpp"
#include "app/unsealed.hpp"
#include "dse/results/results_reader.hpp"

namespace dse::app {
namespace {

struct MergeOptions {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output;
    results::Trust trust{results::Trust::sealed};
};

ExitCode merge(const MergeOptions& options) {
    const results::MergeSummary summary = results::merge_files(options.inputs, options.output, options.trust);
    std::cout << fmt::format("{}: {}", options.output.string(), counted(summary.rows, "row"));
    if (summary.duplicates > 0)
        std::cout << fmt::format(", {} dropped", counted(summary.duplicates, "duplicate"));
    if (summary.invalid_rows > 0)
        std::cout << fmt::format(", {} left out", counted(summary.invalid_rows, "damaged record"));
    std::cout << '\n';
    results::ResultsReader merged{options.output, results::ResultsReader::Extent::finished, options.trust};
    const std::uint64_t indices = merged.columns().schema.sweep.points;
    if (summary.covered < indices) {
        std::cout << fmt::format(
            "INCOMPLETE: {} of {} configurations have not been evaluated (a part of the job array is "
            "missing?); "
            "dse SWEEP.yaml -o {} evaluates them\n",
            human_count(indices - summary.covered), human_count(indices), options.output.string());
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_merge(CLI::App& app) {
    const auto options = std::make_shared<MergeOptions>();
    app.add_option("files", options->inputs, "results of the same sweep")
        ->required()
        ->type_name("A.h5 B.h5 …");
    app.add_option("-o,--output", options->output, "merged file to write; must not exist")
        ->required()
        ->type_name("C.h5");
    add_unsealed(app, options->trust);
    return [options] { return merge(*options); };
}

}  // namespace dse::app
