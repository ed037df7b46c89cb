#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/synth/job_timer.hpp"
#include "app/synth/named_family.hpp"
#include "app/synth/synth.hpp"
#include "app/text_table.hpp"
#include "app/whole_number.hpp"
#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/synth/family.hpp"
#include "dse/synth/instantiate.hpp"
#include "dse/synth/judge/leakage.hpp"
#include "dse/synth/judge/statistics.hpp"
#include "dse/synth/judge/surrogate.hpp"

namespace dse::app::synth {
namespace {

using dse::synth::Corpus;
using dse::synth::Exposure;
using dse::synth::Family;
using dse::synth::Leakage;
using dse::synth::SmallGraph;
using dse::synth::Statistics;
using dse::synth::SurrogateScores;

struct JudgeOptions {
    std::string family;
    std::vector<std::string> traces;
    std::vector<std::string> training;
    std::uint64_t number{1000};
    std::uint64_t seed{0};
    std::string system{"h100_ndr400"};
    bool untimed{false};
    bool json{false};
};

/// Simulated times of real graphs and of samples.
struct Times {
    std::vector<double> real;
    std::vector<double> samples;
    std::size_t failed{0};  ///< graphs that the cluster cannot run
    double w1_of_logs{0};   ///< 1-Wasserstein distance of their logarithms to base 2
    std::optional<SurrogateScores> surrogate;
};

struct Verdict {
    Corpus real;
    Corpus training;  ///< graphs against which leakage is measured; the real graphs if no others are given
    bool same{false};
    std::vector<SmallGraph> samples;
    Statistics statistics;
    Leakage leakage;
    std::optional<Times> times;
};

/// Graphs that could be simulated.
struct Timed {
    std::vector<SmallGraph> graphs;
    std::vector<double> seconds;
};

Timed times_of(const std::vector<SmallGraph>& graphs, const dse::synth::Vocabulary& labels, JobTimer& timer) {
    Timed timed;
    for (const SmallGraph& graph : graphs) {
        try {
            timed.seconds.push_back(timer(instantiate(graph, labels)).value());
            timed.graphs.push_back(graph);
        } catch (const ModelError&) {
            // The caller counts these: groups that the network does not have, or larger than what is
            // simulated.
        }
    }
    if (timed.graphs.empty()) throw InputError("no graph can be simulated on this cluster: try --untimed");
    return timed;
}

std::vector<double> logs_of(std::vector<double> values) {
    for (double& value : values) value = std::log2(value);
    return values;
}

Times compare_times(const Verdict& verdict, const std::string& system) {
    constexpr std::size_t fewest = 4;
    JobTimer timer{system};
    const dse::synth::Vocabulary& labels = verdict.training.labels;
    const Timed real = times_of(verdict.real.graphs, labels, timer);
    const Timed drawn = times_of(verdict.samples, labels, timer);
    const std::size_t played = real.graphs.size() + drawn.graphs.size();
    Times times{
        real.seconds, drawn.seconds, verdict.real.graphs.size() + verdict.samples.size() - played, 0, {}};
    times.w1_of_logs = dse::synth::wasserstein(logs_of(times.real), logs_of(times.samples));
    if (std::min(real.graphs.size(), drawn.graphs.size()) >= fewest)
        times.surrogate =
            score_surrogates({real.graphs, real.seconds}, {drawn.graphs, drawn.seconds}, labels);
    return times;
}

/// Loads real and training graphs with one vocabulary, so that equal labels have equal numbers.
void load_both(const JudgeOptions& options, const Family& family, Verdict& verdict) {
    verdict.real.labels = family.labels;
    load_graphs(options.traces, verdict.real);
    verdict.same = options.training.empty();
    if (verdict.same) {
        verdict.training = verdict.real;
        return;
    }
    verdict.training.labels = verdict.real.labels;
    load_graphs(options.training, verdict.training);
}

Verdict verdict_of(const JudgeOptions& options) {
    const Family family = named_family(options.family);
    Verdict verdict;
    load_both(options, family, verdict);
    for (std::uint64_t i = 0; i < options.number; ++i)
        verdict.samples.push_back(family.model->sample({}, seed_of(options.seed, i)));
    verdict.statistics = compare(verdict.samples, verdict.real.graphs);
    const std::vector<SmallGraph> nobody;
    verdict.leakage = find_leakage(verdict.training.graphs, verdict.same ? nobody : verdict.real.graphs,
                                   verdict.samples, family.labels.size());
    if (!options.untimed) verdict.times = compare_times(verdict, options.system);
    return verdict;
}

std::string example_of(const Exposure& exposure, const Corpus& training) {
    const SmallGraph& graph = training.graphs[exposure.graph];
    return to_string(training.labels[graph.nodes[exposure.example].label]);
}

void print_leakage(const Verdict& verdict) {
    constexpr std::size_t shown = 10;
    const Leakage& leakage = verdict.leakage;
    std::cout << fmt::format(
        "leakage from {}{}: {} of {} samples are identical to one; mean similarity of a sample to its "
        "nearest {:.3f}{}\n",
        counted(verdict.training.graphs.size(), "graph"),
        verdict.same ? " (taken as the training graphs)" : "", leakage.copies, verdict.samples.size(),
        leakage.nearest_mean,
        leakage.held_back_nearest_mean
            ? fmt::format(", of held-back graphs {:.3f}", *leakage.held_back_nearest_mean)
            : "");
    if (leakage.membership_auc)
        std::cout << fmt::format("whether a graph was learned from: AUC {:.3f} (0.5: cannot be inferred)\n",
                                 *leakage.membership_auc);
    std::cout << fmt::format("{} of {} neighbourhoods that occur in only one graph also occur in samples\n",
                             human_count(static_cast<std::uint64_t>(leakage.reused)),
                             human_count(static_cast<std::uint64_t>(leakage.rare)));
    for (std::size_t i = 0; i < std::min(shown, leakage.exposures.size()); ++i) {
        const Exposure& exposure = leakage.exposures[i];
        std::cout << fmt::format(
            "  {}: {} such nodes, {} with an operator and size of no other graph, in up to {} samples, such "
            "as {}\n",
            verdict.training.names[exposure.graph], exposure.nodes, exposure.secrets, exposure.samples,
            example_of(exposure, verdict.training));
    }
}

void print_verdict(const Verdict& verdict) {
    TextTable table;
    table.add_column("samples against real graphs", TextTable::Align::left);
    table.add_column("");
    for (const auto& [name, value] : named(verdict.statistics))
        table.add_row({std::string{name}, fmt::format("{:.3f}", value)});
    if (verdict.times) {
        table.add_row({"iteration time, w1 of octaves", fmt::format("{:.3f}", verdict.times->w1_of_logs)});
        if (const auto& scores = verdict.times->surrogate) {
            table.add_row({"surrogate, real on real", fmt::format("{:.3f}", scores->real_on_real)});
            table.add_row({"surrogate, samples on real", fmt::format("{:.3f}", scores->samples_on_real)});
            table.add_row({"surrogate, real on samples", fmt::format("{:.3f}", scores->real_on_samples)});
        }
    }
    std::cout << table.text(2);
    constexpr std::size_t enough = 20;
    if (verdict.real.graphs.size() < enough)
        std::cout << fmt::format("only {}: these numbers are rough\n",
                                 counted(verdict.real.graphs.size(), "real graph"));
    print_leakage(verdict);
}

Json json_of(const Leakage& leakage, const Verdict& verdict) {
    Json json{{"nearest_mean", leakage.nearest_mean},
              {"copies", leakage.copies},
              {"rare", leakage.rare},
              {"reused", leakage.reused}};
    if (leakage.held_back_nearest_mean) json["held_back_nearest_mean"] = *leakage.held_back_nearest_mean;
    if (leakage.membership_auc) json["membership_auc"] = *leakage.membership_auc;
    Json& rows = json["rows"] = Json::array();
    for (const Exposure& exposure : leakage.exposures) {
        rows.push_back({{"graph", verdict.training.names[exposure.graph]},
                        {"nodes", exposure.nodes},
                        {"secrets", exposure.secrets},
                        {"samples", exposure.samples},
                        {"example", example_of(exposure, verdict.training)}});
    }
    return json;
}

Json json_of(Times times) {
    const auto quantiles = [](std::vector<double>& values) {
        std::sort(values.begin(), values.end());
        const auto at = [&](std::size_t tenth) { return values[(values.size() - 1) * tenth / 10]; };
        return Json{{"p10", at(1)}, {"p50", at(5)}, {"p90", at(9)}};
    };
    return {{"real", quantiles(times.real)},
            {"samples", quantiles(times.samples)},
            {"w1_octaves", times.w1_of_logs},
            {"failed", times.failed}};
}

void print_as_json(const Verdict& verdict) {
    Json json = json_object();
    json["samples"] = verdict.samples.size();
    json["graphs"] = verdict.real.graphs.size();
    Json& values = json["statistics"] = Json::object();
    for (const auto& [name, value] : named(verdict.statistics)) values[std::string{name}] = value;
    if (verdict.times) {
        json["iteration_time"] = json_of(*verdict.times);
        if (const auto& scores = verdict.times->surrogate)
            json["surrogate"] = {{"real_on_real", scores->real_on_real},
                                 {"samples_on_real", scores->samples_on_real},
                                 {"real_on_samples", scores->real_on_samples}};
    }
    json["leakage"] = json_of(verdict.leakage, verdict);
    print_json(json);
}

ExitCode judge(const JudgeOptions& options) {
    const Verdict verdict = verdict_of(options);
    if (options.json) {
        print_as_json(verdict);
    } else {
        print_verdict(verdict);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_judge(CLI::App& app) {
    const auto options = std::make_shared<JudgeOptions>();
    add_family(app, options->family);
    app.add_option("traces", options->traces,
                   "real graphs, preferably ones that the family was not learned from")
        ->required()
        ->type_name("TRACES");
    app.add_option("--training", options->training,
                   "graphs that the family was learned from, to measure leakage; by default TRACES")
        ->type_name("TRACES");
    app.add_option("-n,--number", options->number, "number of samples")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
        ->capture_default_str();
    app.add_option("--seed", options->seed, "seed of the random samples")
        ->check(whole_number())
        ->capture_default_str();
    app.add_option("--system", options->system, "cluster on which graphs are simulated (hardware/clusters)")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_flag("--untimed", options->untimed, "compare structure only, without simulating");
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return judge(*options); };
}

}  // namespace dse::app::synth
