#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/force.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/rank_choice.hpp"
#include "app/synth/graph_line.hpp"
#include "app/synth/named_family.hpp"
#include "app/synth/synth.hpp"
#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/synth/family.hpp"
#include "dse/synth/instantiate.hpp"
#include "dse/trace/chakra/export.hpp"

namespace dse::app::synth {
namespace {

namespace chakra = trace::chakra;
using dse::synth::Family;
using dse::synth::SmallGraph;

struct SampleOptions {
    std::string family;
    std::uint64_t number{1};
    std::uint64_t seed{0};
    std::string folder;
    dse::synth::Wish wish;
    std::string ranks{"all"};
    bool gzip{false};
    bool graphs_only{false};
    Existing existing{Existing::refuse};
    bool json{false};
};

std::uint64_t write_traces(const SampleOptions& options, const SmallGraph& sample, const Family& family,
                           std::uint64_t number) {
    const graph::Graph job = instantiate(sample, family.labels);
    chakra::ExportOptions wanted;
    wanted.prefix = (std::filesystem::path{options.folder} / fmt::format("{:06}", number)).string();
    wanted.ranks = options.ranks == "all"       ? chakra::every_rank(job.mesh)
                   : options.ranks == "classes" ? chakra::one_rank_of_each_stage(job.mesh)
                                                : parse_ranks(options.ranks, job.mesh.ranks());
    wanted.compression = options.gzip ? chakra::Compression::gzip : chakra::Compression::none;
    wanted.stopped = dist::stop_requested;
    wanted.existing = options.existing;
    return export_traces(job, {}, wanted).nodes;
}

Stopped stopped_after(std::uint64_t samples, std::uint64_t wanted) {
    return Stopped{fmt::format("stopped after {} of {} samples (the same command with --force begins again)",
                               samples, wanted)};
}

ExitCode sample(const SampleOptions& options) {
    dist::install_stop_signals();
    const Family family = named_family(options.family);
    std::filesystem::create_directories(options.folder);
    const std::string list = (std::filesystem::path{options.folder} / "samples.jsonl").string();
    OutputFile file{list, options.existing};
    std::uint64_t nodes = 0;
    for (std::uint64_t i = 0; i < options.number; ++i) {
        if (dist::stop_requested()) throw stopped_after(i, options.number);
        const SmallGraph graph = family.model->sample(options.wish, seed_of(options.seed, i));
        if (!options.graphs_only) {
            try {
                nodes += write_traces(options, graph, family, i);
            } catch (const Stopped&) {
                throw stopped_after(i, options.number);
            }
        }
        file.stream() << graph_line(graph, family.labels).dump() << '\n';
    }
    file.close();
    if (options.json) {
        Json json = json_object();
        json["folder"] = options.folder;
        json["samples"] = options.number;
        json["graphs"] = list;
        json["nodes"] = nodes;
        print_json(json);
    } else {
        std::cout << fmt::format("{}: {} samples, {} nodes in traces\n", options.folder,
                                 human_count(options.number), human_count(nodes));
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_sample(CLI::App& app) {
    const auto options = std::make_shared<SampleOptions>();
    add_family(app, options->family);
    add_samples(app, options->number, options->seed);
    app.add_option(
           "-o,--output", options->folder,
           "folder for the traces NUMBER.RANK.et and samples.jsonl (the graphs before they are unrolled)")
        ->required()
        ->type_name("DIR");
    app.add_option("--devices", options->wish.devices, "devices of each job; by default those of the family")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20));
    app.add_option("--batch", options->wish.batch, "global batch, if the family has one")
        ->check(CLI::PositiveNumber);
    app.add_option("--sequence", options->wish.sequence, "tokens per sample, if the family has them")
        ->check(CLI::PositiveNumber);
    app.add_option("--ranks", options->ranks, "ranks to write: all, classes (one rank), or a list")
        ->type_name("all|classes|0,8,16-23")
        ->capture_default_str();
    app.add_flag("--gzip", options->gzip, "compress the traces");
    app.add_flag("--graphs-only", options->graphs_only, "write only samples.jsonl");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return sample(*options); };
}

}  // namespace dse::app::synth
