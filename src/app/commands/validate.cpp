#include "dse/eval/validation/validate.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/deployment_errors.hpp"
#include "app/energy_errors.hpp"
#include "app/force.hpp"
#include "app/json_output.hpp"
#include "app/number_between.hpp"
#include "app/parity.hpp"
#include "app/step_errors.hpp"
#include "dse/eval/validation/left_out.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"

namespace dse::app {
namespace {

struct ValidateOptions {
    std::string truth;
    std::string sources;
    std::filesystem::path figure;
    Existing existing{Existing::refuse};
    double bound{0.15};
    study::FidelitySpec fidelity;
    bool json{false};
    bool rows{false};
};

constexpr const char* folder = "workloads/measured";

std::string find_file(const config::Library& library, const std::string& given, const char* shipped) {
    if (!given.empty()) return given;
    for (const std::string& root : library.roots()) {
        if (const auto file = library.find("", fmt::format("{}/{}/{}", root, folder, shipped))) return *file;
    }
    throw InputError(fmt::format("no file {}/{} in the data folders", folder, shipped));
}

/// Facts about software and machines of measurements.
/// \param read     of a document, with its errors
/// \param given    file of --sources; empty: the shipped one
/// \throws InputError with all errors of the file
template <class Read>
auto facts_of(const config::Library& library, const std::string& given, const char* shipped, Read read) {
    config::Diagnostics diagnostics;
    const config::Node node = config::load_yaml(find_file(library, given, shipped), diagnostics);
    auto facts = read(node, diagnostics);
    diagnostics.throw_if_any();
    return facts;
}

std::vector<eval::Comparison> compare(const ValidateOptions& options) {
    // Throws for unknown names, listing those that exist.
    static_cast<void>(model::compute_models().find(options.fidelity.compute));
    static_cast<void>(netsim::network_models().find(options.fidelity.network));
    const config::Library library = config::Library::standard("");
    const auto sources = facts_of(library, options.sources, "sources.yaml",
                                  [&](const config::Node& node, config::Diagnostics& diagnostics) {
                                      auto read = eval::read_truth_sources(node, diagnostics);
                                      eval::require_files(node, library, diagnostics);
                                      return read;
                                  });
    std::vector<eval::TruthRow> rows = eval::read_truth(find_file(library, options.truth, "steps.csv"));
    const auto append = [&](const char* table) {
        std::ranges::move(eval::read_truth(find_file(library, "", table)), std::back_inserter(rows));
    };
    if (options.truth.empty()) {
        append("memory_cells.csv");
        append("prompts.csv");
    }
    std::vector<eval::Comparison> comparisons = eval::validate(rows, sources, library, options.fidelity);
    eval::mark_calibration(eval::read_left_out(find_file(library, "", "left_out.csv")), comparisons);
    return comparisons;
}

/// Validates a table of deployments, which is recognized by its columns.
ExitCode validate_deployments(const ValidateOptions& options) {
    const config::Library library = config::Library::standard("");
    const eval::ServingFacts facts =
        facts_of(library, options.sources, "serving.yaml", eval::read_serving_facts);
    const auto comparisons =
        eval::validate_serving(eval::read_serving_rows(options.truth), facts, library, options.fidelity);
    const auto summaries = eval::summarize(comparisons);
    if (options.json) {
        print_deployments_json(comparisons, summaries);
    } else {
        if (options.rows) print_deployment_rows(comparisons);
        print_deployments(comparisons, summaries);
    }
    return summaries.back().tpot.median <= options.bound ? ExitCode::ok : ExitCode::answer_is_no;
}

std::vector<eval::EnergyComparison> compare_energies(const ValidateOptions& options, const std::string& table,
                                                     const std::string& facts_file) {
    const config::Library library = config::Library::standard("");
    const eval::EnergyFacts facts = facts_of(library, facts_file, "energy.yaml", eval::read_energy_facts);
    return eval::validate_energy(eval::read_energy_rows(find_file(library, table, "energy.csv")), facts,
                                 library, options.fidelity);
}

void print_energies_as_text(const std::vector<eval::EnergyComparison>& comparisons,
                            const ValidateOptions& options) {
    if (options.rows) print_energy_rows(comparisons);
    print_energies(comparisons);
}

/// Validates a table of power measurements, which is recognized by its columns.
ExitCode validate_energies(const ValidateOptions& options) {
    const auto comparisons = compare_energies(options, options.truth, options.sources);
    if (options.json) {
        Json json = json_object();
        add_energies(comparisons, json);
        print_json(json);
    } else {
        print_energies_as_text(comparisons, options);
    }
    const auto summaries = eval::summarize(comparisons);
    return !summaries.empty() && summaries.back().energy.median <= options.bound ? ExitCode::ok
                                                                                 : ExitCode::answer_is_no;
}

/// Of training steps; where there are none, of prompts; where there are none either, of memory.
const eval::ErrorSummary& overall(const std::vector<eval::ErrorSummary>& summaries) {
    const auto all = std::ranges::find(summaries, "all", &eval::ErrorSummary::name);
    return all != summaries.end() && all->rows > 0 ? *all : summaries.back();
}

ExitCode validate(const ValidateOptions& options) {
    const bool is_of_servers = !options.truth.empty() && eval::is_serving_table(options.truth);
    const bool is_of_power = !options.truth.empty() && eval::is_energy_table(options.truth);
    if (!options.figure.empty()) {
        if (is_of_servers || is_of_power)
            throw InputError(fmt::format("--figure draws steps and prompts; {} has none", options.truth));
        require_parity_file(options.figure, options.existing);
    }
    if (is_of_servers) return validate_deployments(options);
    if (is_of_power) return validate_energies(options);
    const std::vector<eval::Comparison> comparisons = compare(options);
    const std::vector<eval::ErrorSummary> summaries = eval::summarize(comparisons);
    std::vector<eval::EnergyComparison> energies;
    if (options.truth.empty()) energies = compare_energies(options, "", "");
    if (options.json) {
        Json json = step_rows_json(comparisons);
        add_step_summaries(comparisons, summaries, json);
        if (!energies.empty()) add_energies(energies, json["energy"]);
        print_json(json);
    } else {
        if (options.rows) print_step_rows(comparisons);
        print_steps(comparisons, summaries);
        if (!energies.empty()) print_energies_as_text(energies, options);
    }
    if (!options.figure.empty()) {
        const ExitCode drawn = draw_parity(step_rows_json(comparisons), options.figure);
        if (drawn != ExitCode::ok) return drawn;
    }
    // A table without a row that can be predicted holds no evidence: that is no success.
    return overall(summaries).mean_absolute <= options.bound ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_validate(CLI::App& app) {
    const auto options = std::make_shared<ValidateOptions>();
    app.add_option("--truth", options->truth,
                   "table of measurements (default: the published steps that dse ships)")
        ->type_name("ROWS.csv");
    app.add_option("--sources", options->sources, "software and machines of the sources in the table")
        ->type_name("FILE.yaml");
    app.add_option("--bound", options->bound,
                   "mean absolute error above which the exit code is 1 (default 0.15)")
        ->check(number_between(0.0, 10.0))
        ->type_name("SHARE");
    app.add_option("--compute", options->fidelity.compute,
                   "model of operators (default roofline; see dse list compute)")
        ->type_name("NAME");
    app.add_option("--network", options->fidelity.network,
                   "model of communication (default latency_bandwidth; see dse list network)")
        ->type_name("NAME");
    app.add_flag("--rows", options->rows, "print every row");
    app.add_flag("--json", options->json, "print JSON, with every row");
    app.add_option("--figure", options->figure, "draw predicted over measured times (.png, .pdf, .svg)")
        ->type_name("FILE.png");
    add_force(app, options->existing);
    return [options] { return validate(*options); };
}

}  // namespace dse::app
