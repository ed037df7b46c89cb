#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/simulated_job.hpp"
#include "app/synth/named_family.hpp"
#include "app/synth/synth.hpp"
#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/base/temporary_path.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/synth/family.hpp"
#include "dse/synth/instantiate.hpp"
#include "dse/trace/chakra/export.hpp"

namespace dse::app::synth {
namespace {

namespace chakra = trace::chakra;
using dse::synth::Family;

struct CheckOptions {
    std::string family;
    std::uint64_t number{1000};
    std::uint64_t seed{0};
    dse::synth::Wish wish;
    std::string system{"h100_ndr400"};
    bool json{false};
};

/// Number of samples that passed each stage of the check.
struct Passed {
    std::uint64_t samples{0};
    std::uint64_t valid{0};   ///< without cycles, each node after its parents
    std::uint64_t parsed{0};  ///< whose traces could be read back without a fault
    std::uint64_t sound{0};   ///< that passed dse et check
    std::uint64_t played{0};  ///< that were simulated to the end
    std::uint64_t ranks{0};   ///< ranks of all samples
    std::vector<std::string> faults;
};

/// Takes one sample through all stages. \throws an error at the first stage that it does not pass
void follow(const Family& family, std::uint64_t seed, const dse::synth::Wish& wish,
            const hardware::ClusterSpec& cluster, Passed& passed) {
    const dse::synth::SmallGraph sample = family.model->sample(wish, seed);
    if (!is_valid(sample)) throw InputError("its nodes are not in the order of their dependencies");
    ++passed.valid;
    const TemporaryPath folder = TemporaryPath::folder("dse-samples");
    const std::string prefix = (folder.path() / "job").string();
    const graph::Graph job = instantiate(sample, family.labels);
    chakra::ExportOptions wanted;
    wanted.prefix = prefix;
    wanted.ranks = chakra::every_rank(job.mesh);
    export_traces(job, {}, wanted);
    const LoadedTraces traces = load_traces({prefix, ""});
    if (!traces.faults.empty()) throw InputError(traces.faults.front().faults.all.front().text);
    ++passed.parsed;
    passed.ranks += traces.set.ranks.size();
    const chakra::Findings findings = check_traces(traces.set, traces.faults, traces.groups, traces.coverage);
    if (!findings.ok()) throw InputError(std::string{meaning(findings.all().front().kind)});
    ++passed.sound;
    if (simulated_job(traces, cluster) <= Seconds{}) throw InputError("its simulated time is 0");
    ++passed.played;
}

Passed follow_all(const CheckOptions& options) {
    constexpr std::size_t most_faults = 10;
    const Family family = named_family(options.family);
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(
        config::Library::standard(""), "hardware/clusters", options.system, "command line");
    Passed passed;
    for (; passed.samples < options.number && !dist::stop_requested(); ++passed.samples) {
        try {
            follow(family, seed_of(options.seed, passed.samples), options.wish, cluster, passed);
        } catch (const std::runtime_error& error) {
            if (passed.faults.size() < most_faults)
                passed.faults.push_back(fmt::format("sample {}: {}", passed.samples, error.what()));
        }
    }
    return passed;
}

void print(const Passed& passed, const CheckOptions& options) {
    std::cout << fmt::format(
        "{}: of {} samples, {} are valid, the traces of {} can be read back, {} pass the check, {} are "
        "simulated to the end on {}; {} ranks\n",
        options.family, human_count(passed.samples), human_count(passed.valid), human_count(passed.parsed),
        human_count(passed.sound), human_count(passed.played), options.system, human_count(passed.ranks));
    for (const std::string& fault : passed.faults) std::cout << fmt::format("  {}\n", fault);
}

void print_as_json(const Passed& passed) {
    Json json = json_object();
    json["samples"] = passed.samples;
    json["valid"] = passed.valid;
    json["parsed"] = passed.parsed;
    json["sound"] = passed.sound;
    json["played"] = passed.played;
    json["ranks"] = passed.ranks;
    json["faults"] = passed.faults;
    print_json(json);
}

ExitCode check(const CheckOptions& options) {
    dist::install_stop_signals();
    const Passed passed = follow_all(options);
    if (options.json) {
        print_as_json(passed);
    } else {
        print(passed, options);
    }
    if (passed.samples < options.number)
        throw Stopped(fmt::format("stopped after {} samples", passed.samples));
    return passed.played == passed.samples ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_check(CLI::App& app) {
    const auto options = std::make_shared<CheckOptions>();
    add_family(app, options->family);
    add_samples(app, options->number, options->seed);
    app.add_option("--devices", options->wish.devices, "devices of each job; by default those of the family")
        ->check(CLI::PositiveNumber);
    app.add_option("--system", options->system, "cluster on which they are simulated (hardware/clusters)")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return check(*options); };
}

}  // namespace dse::app::synth
