#include "dse/trace/chakra/obfuscate.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/et/et.hpp"
#include "app/et/rewriting.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/simulated_job.hpp"
#include "app/trace_arguments.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app::et {
namespace {

namespace chakra = trace::chakra;

struct ObfuscateOptions {
    Rewriting rewriting;
    std::string system{"h100_ndr400"};
    chakra::Obfuscation how;
    bool json{false};
};

/// Time that the traces of a job take on a cluster; none if they cannot be simulated there, for example
/// because they are only part of a job.
std::optional<Seconds> simulated(const std::string& prefix, const hardware::ClusterSpec& cluster) {
    try {
        const LoadedTraces traces = load_job({prefix, ""});
        const auto findings = check_traces(traces.set, traces.faults, traces.groups, traces.coverage);
        if (std::ranges::any_of(findings.all(), stops_play)) return std::nullopt;
        return simulated_job(traces, cluster);
    } catch (const InputError&) {
        return std::nullopt;
    } catch (const ModelError&) {
        return std::nullopt;
    }
}

chakra::Obfuscated hide(const ObfuscateOptions& options) {
    const Existing existing = options.rewriting.existing;
    const std::string groups = options.rewriting.traces + ".json";
    const std::string target_groups = options.rewriting.prefix + ".json";
    const bool has_groups = std::filesystem::exists(groups);
    if (has_groups) require_free(target_groups, existing);
    chakra::Obfuscated sum;
    for (const auto& [from, to] : rewritten_files(options.rewriting)) {
        const chakra::Obfuscated done = chakra::obfuscate_trace(from, to, options.how, existing);
        sum.nodes += done.nodes;
        sum.attributes_dropped += done.attributes_dropped;
        sum.operators_renamed += done.operators_renamed;
        sum.operations_before += done.operations_before;
        sum.operations_after += done.operations_after;
        sum.bytes_before += done.bytes_before;
        sum.bytes_after += done.bytes_after;
    }
    if (has_groups) chakra::obfuscate_groups(groups, target_groups, options.how, existing);
    return sum;
}

double change(double before, double after) {
    return before > 0.0 ? after / before - 1.0 : 0.0;
}

ExitCode obfuscate(const ObfuscateOptions& options) {
    const auto cluster = config::read_from_library<hardware::ClusterSpec>(
        config::Library::standard(""), "hardware/clusters", options.system, "command line");
    const chakra::Obfuscated done = hide(options);
    const auto before = simulated(options.rewriting.traces, cluster);
    const auto after = simulated(options.rewriting.prefix, cluster);
    Json json = json_object();
    json["prefix"] = options.rewriting.prefix;
    json["nodes"] = done.nodes;
    json["attributes_dropped"] = done.attributes_dropped;
    json["operators_renamed"] = done.operators_renamed;
    json["operations_change"] = change(done.operations_before, done.operations_after);
    json["bytes_change"] = change(done.bytes_before, done.bytes_after);
    if (before && after)
        json["time"] = {{"before", before->value()},
                        {"after", after->value()},
                        {"change", change(before->value(), after->value())}};
    if (options.json) {
        print_json(json);
        return ExitCode::ok;
    }
    std::cout << fmt::format(
        "{}: {} nodes without names; {} attributes dropped, {} operators renamed; operations {:+.2f} %, "
        "bytes {:+.2f} %\n",
        options.rewriting.prefix, human_count(done.nodes), human_count(done.attributes_dropped),
        human_count(done.operators_renamed), 100 * change(done.operations_before, done.operations_after),
        100 * change(done.bytes_before, done.bytes_after));
    if (before && after)
        std::cout << fmt::format("simulated on {}: {:.6g} s before, {:.6g} s now ({:+.2f} %)\n", cluster.name,
                                 before->value(), after->value(),
                                 100 * change(before->value(), after->value()));
    else
        std::cout << fmt::format("not simulated on {}: these traces cannot be simulated there\n",
                                 cluster.name);
    return ExitCode::ok;
}

}  // namespace

Action declare_obfuscate(CLI::App& app) {
    const auto options = std::make_shared<ObfuscateOptions>();
    declare_rewriting(app, options->rewriting);
    app.add_option(
           "--salt", options->how.salt,
           "salt for the new names of groups and tags: keep it secret, and use a different one each time")
        ->required()
        ->type_name("TEXT");
    app.add_option("--steps", options->how.steps_per_octave,
                   "number of steps per octave to which sizes, operations and durations are rounded")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_flag("!--no-durations", options->how.keep_durations, "drop recorded durations");
    app.add_option("--system", options->system,
                   "cluster on which the simulated times are compared (hardware/clusters)")
        ->type_name("NAME")
        ->capture_default_str();
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return obfuscate(*options); };
}

}  // namespace dse::app::et
