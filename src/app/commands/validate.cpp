#include "dse/eval/validation/validate.hpp"

#include <algorithm>
#include <cmath>
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
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/parity.hpp"
#include "app/text_table.hpp"
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

std::vector<eval::Comparison> compare(const ValidateOptions& options) {
    // Throws for unknown names, listing those that exist.
    static_cast<void>(model::compute_models().find(options.fidelity.compute));
    static_cast<void>(netsim::network_models().find(options.fidelity.network));
    const config::Library library = config::Library::standard("");
    config::Diagnostics diagnostics;
    const config::Node node =
        config::load_yaml(find_file(library, options.sources, "sources.yaml"), diagnostics);
    const auto sources = eval::read_truth_sources(node, diagnostics);
    diagnostics.throw_if_any();
    std::vector<eval::TruthRow> rows = eval::read_truth(find_file(library, options.truth, "steps.csv"));
    const auto append = [&](const char* table) {
        std::ranges::move(eval::read_truth(find_file(library, "", table)), std::back_inserter(rows));
    };
    append("memory_cells.csv");
    if (options.truth.empty()) append("prompts.csv");
    std::vector<eval::Comparison> comparisons = eval::validate(rows, sources, library, options.fidelity);
    eval::mark_calibration(eval::read_left_out(find_file(library, "", "left_out.csv")), comparisons);
    return comparisons;
}

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json row_json(const eval::Comparison& comparison) {
    Json row{{"id", comparison.row.id},
             {"source", comparison.row.source},
             {"chip", comparison.row.chip},
             {"experts", !comparison.row.experts.empty()},
             {"model", comparison.row.model},
             {"metric", comparison.is_cell()          ? comparison.row.metric
                        : comparison.is_memory()      ? "peak_memory"
                        : comparison.row.is_prefill() ? "prefill_latency"
                                                      : "iteration_time"},
             {"group", comparison.row.group},
             {"weight", comparison.row.weight},
             {"role", comparison.is_calibration ? "calibration" : "validation"},
             {"left_out", number(comparison.left_out)},
             {"predicted", number(comparison.predicted)},
             {"measured", number(comparison.measured)},
             {"low", number(comparison.low)},
             {"high", number(comparison.high)},
             {"error", number(comparison.error())},
             {"why", comparison.why}};
    if (comparison.is_compared()) {
        row["fits"] = comparison.fits();
        row["memory_peak"] = comparison.memory_peak;
        row["memory_capacity"] = comparison.memory_capacity;
        row["probability_fits"] = number(comparison.probability_fits);
        row["device"] = comparison.device;
        row["stack"] = comparison.stack;
        row["template"] = comparison.model_template;
        row["devices"] = number(comparison.row.gpus.value_or(1));
    }
    return row;
}

Json summary_json(const eval::ErrorSummary& summary) {
    return Json{{"name", summary.name},
                {"rows", summary.rows},
                {"constants", summary.constants},
                {"mean_absolute_error", number(summary.mean_absolute)},
                {"median_absolute_error", number(summary.median_absolute)},
                {"p90_absolute_error", number(summary.ninetieth)},
                {"bias", number(summary.bias)},
                {"rank_correlation", number(summary.rank_correlation)},
                {"pairs", summary.pairs},
                {"reversed", summary.reversed},
                {"inside", number(summary.inside)},
                {"median_width", number(summary.median_width)},
                {"width_over_median_error", number(summary.width_over_median())},
                {"constant_mfu_error", number(summary.constant_mfu)},
                {"constant_mfu_by_chip_error", number(summary.constant_mfu_by_chip)}};
}

Json refusals_json(const eval::RefusalSummary& summary) {
    return Json{{"ran", summary.ran},
                {"ran_refused", summary.ran_refused},
                {"out_of_memory", summary.out_of_memory},
                {"out_of_memory_accepted", summary.out_of_memory_accepted}};
}

Json rows_json(const std::vector<eval::Comparison>& comparisons) {
    Json json = json_object();
    json["rows"] = Json::array();
    for (const eval::Comparison& comparison : comparisons) json["rows"].push_back(row_json(comparison));
    return json;
}

void print_comparisons_json(const std::vector<eval::Comparison>& comparisons,
                            const std::vector<eval::ErrorSummary>& summaries,
                            const std::vector<eval::EnergyComparison>& energies) {
    Json json = rows_json(comparisons);
    json["summary"] = Json::array();
    for (const eval::ErrorSummary& summary : summaries) json["summary"].push_back(summary_json(summary));
    json["memory"] = refusals_json(eval::refusals(comparisons));
    add_energies(energies, json["energy"]);
    print_json(json);
}

std::string percent(double value) {
    return std::isfinite(value) ? fmt::format("{:.1f} %", 100.0 * value) : "";
}

std::string factor(double value) {
    return std::isfinite(value) ? fmt::format("{:.2f}", value) : "";
}

std::string layout_of(const eval::TruthRow& row) {
    return fmt::format("{} x {}, tp {:.0f} pp {:.0f}", row.gpus.value_or(0), row.precision,
                       row.tp.value_or(1), row.pp.value_or(1));
}

void print_rows(const std::vector<eval::Comparison>& comparisons) {
    TextTable table;
    table.add_column("row", TextTable::Align::left);
    table.add_column("model", TextTable::Align::left);
    table.add_column("chip", TextTable::Align::left);
    table.add_column("layout", TextTable::Align::left);
    table.add_column("predicted");
    table.add_column("measured");
    table.add_column("error");
    table.add_column("", TextTable::Align::left);
    for (const eval::Comparison& c : comparisons) {
        const bool is_time = !c.is_memory() && !c.is_cell();
        const auto value = [&](double v) { return is_time ? human_seconds(v) : human_bytes(v); };
        table.add_row({c.row.id, c.row.model.substr(0, 24), c.row.chip.substr(0, 16), layout_of(c.row),
                       c.is_compared() ? value(c.predicted) : "",
                       std::isfinite(c.measured) ? value(c.measured) : "",
                       std::isfinite(c.error()) ? fmt::format("{:+.1f} %", 100.0 * c.error()) : "", c.why});
    }
    std::cout << table.text() << '\n';
}

/// Of all rows together.
void print_reversed(const std::vector<eval::ErrorSummary>& summaries) {
    const auto all = std::ranges::find(summaries, "all", &eval::ErrorSummary::name);
    if (all == summaries.end() || all->reversed.empty()) return;
    constexpr std::size_t most = 12;
    std::vector<std::string> pairs;
    for (const auto& [first, second] : all->reversed)
        if (pairs.size() < most) pairs.push_back(first + "/" + second);
    std::cout << fmt::format("Pairs predicted the other way round: {}{}\n", fmt::join(pairs, " "),
                             pairs.size() < all->reversed.size() ? " ..." : "");
}

void print_summary(const std::vector<eval::ErrorSummary>& summaries) {
    TextTable table;
    table.add_column("source", TextTable::Align::left);
    for (const char* heading :
         {"rows", "constants", "mean", "median", "90 %", "bias", "inside", "width", "/ median", "rank corr.",
          "pairs", "reversed", "constant MFU", "MFU by chip"}) {
        table.add_column(heading);
    }
    for (const eval::ErrorSummary& s : summaries) {
        table.add_row({s.name, fmt::format("{}", s.rows),
                       s.constants == 0 ? "" : fmt::format("{}", s.constants), percent(s.mean_absolute),
                       percent(s.median_absolute), percent(s.ninetieth), percent(s.bias), percent(s.inside),
                       percent(s.median_width), factor(s.width_over_median()), factor(s.rank_correlation),
                       s.pairs == 0 ? "" : fmt::format("{}", s.pairs),
                       s.pairs == 0 ? "" : fmt::format("{}", s.reversed.size()), percent(s.constant_mfu),
                       percent(s.constant_mfu_by_chip)});
    }
    std::cout << "Errors of predicted step times; constants that were fitted to any of the rows (besides two "
                 "that all\n"
                 "devices share); how many of the measured times lie between the bars of 80 %, half of\n"
                 "their distance (median), and that over the median error; pairs of layouts or chips of one "
                 "model that\n"
                 "differ by more than 15 % as measured, and those predicted the other way round; what one "
                 "constant MFU\n"
                 "would give on the same rows. Calibration rows are those that constants were fitted to; "
                 "left out, with\n"
                 "constants fitted without their group; validation rows are all others.\n"
              << table.text();
    print_reversed(summaries);
}

std::string ids_text(const std::vector<std::string>& ids) {
    return ids.empty() ? "." : fmt::format(": {}", fmt::join(ids, " "));
}

/// Prints the runs whose predicted memory contradicts the measurement. Published times and peaks are those of
/// runs that fit.
void print_refusals(const eval::RefusalSummary& summary) {
    std::cout << fmt::format("Of {} runs, {} do not fit as predicted{}\n", summary.ran,
                             summary.ran_refused.size(), ids_text(summary.ran_refused));
    if (summary.out_of_memory == 0) return;
    std::cout << fmt::format("Of {} runs that ran out of memory, {} fit as predicted{}\n",
                             summary.out_of_memory, summary.out_of_memory_accepted.size(),
                             ids_text(summary.out_of_memory_accepted));
}

/// Validates a table of deployments, which is recognized by its columns.
ExitCode validate_deployments(const ValidateOptions& options) {
    const config::Library library = config::Library::standard("");
    config::Diagnostics diagnostics;
    const config::Node node =
        config::load_yaml(find_file(library, options.sources, "serving.yaml"), diagnostics);
    const eval::ServingFacts facts = eval::read_serving_facts(node, diagnostics);
    diagnostics.throw_if_any();
    const auto comparisons =
        eval::validate_serving(eval::read_serving_rows(options.truth), facts, library, options.fidelity);
    const auto summaries = eval::summarize(comparisons);
    if (options.json) {
        print_deployments_json(comparisons, summaries);
    } else {
        print_deployments(comparisons, summaries, options.rows);
    }
    return summaries.back().tpot.median <= options.bound ? ExitCode::ok : ExitCode::answer_is_no;
}

std::vector<eval::EnergyComparison> compare_energies(const ValidateOptions& options, const std::string& table,
                                                     const std::string& facts_file) {
    const config::Library library = config::Library::standard("");
    config::Diagnostics diagnostics;
    const config::Node node = config::load_yaml(find_file(library, facts_file, "energy.yaml"), diagnostics);
    const eval::EnergyFacts facts = eval::read_energy_facts(node, diagnostics);
    diagnostics.throw_if_any();
    return eval::validate_energy(eval::read_energy_rows(find_file(library, table, "energy.csv")), facts,
                                 library, options.fidelity);
}

/// Validates a table of power measurements, which is recognized by its columns.
ExitCode validate_energies(const ValidateOptions& options) {
    const auto comparisons = compare_energies(options, options.truth, options.sources);
    if (options.json) {
        Json json = json_object();
        add_energies(comparisons, json);
        print_json(json);
    } else {
        print_energies(comparisons, options.rows);
    }
    const auto summaries = eval::summarize(comparisons);
    return !summaries.empty() && summaries.back().energy.median <= options.bound ? ExitCode::ok
                                                                                 : ExitCode::answer_is_no;
}

/// Of training steps; where there are none, of prompts.
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
    const std::vector<eval::EnergyComparison> energies = compare_energies(options, "", "");
    if (options.json) {
        print_comparisons_json(comparisons, summaries, energies);
    } else {
        if (options.rows) print_rows(comparisons);
        print_summary(summaries);
        print_refusals(eval::refusals(comparisons));
        print_energies(energies, options.rows);
    }
    if (!options.figure.empty()) {
        const ExitCode drawn = draw_parity(rows_json(comparisons), options.figure);
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
        ->check(CLI::Range(0.0, 10.0))
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
