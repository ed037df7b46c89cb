#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/force.hpp"
#include "app/json_output.hpp"
#include "app/synth/synth.hpp"
#include "dse/synth/family.hpp"

namespace dse::app::synth {
namespace {

struct FitOptions {
    std::vector<std::string> traces;
    std::string file;
    std::string model{dse::synth::model_kinds().front().name};
    std::string data{"not stated"};
    std::string license{"not stated"};
    std::string nets;
    Existing existing{Existing::refuse};
    bool json{false};
};

ExitCode fit(const FitOptions& options) {
    require_free(options.file, options.existing);
    dse::synth::Corpus corpus;
    load_graphs(options.traces, corpus);
    const dse::synth::Family family =
        dse::synth::fit_family(corpus, options.model, options.data, options.license, options.nets);
    write_family(family, options.file, options.existing);
    const dse::synth::Card& card = family.card;
    const auto bytes = std::filesystem::file_size(options.file);
    if (options.json) {
        Json json = json_object();
        json["file"] = options.file;
        json["bytes"] = bytes;
        json["model"] = card.model;
        json["graphs"] = card.graphs;
        json["nodes"] = card.nodes;
        json["layers"] = card.layers;
        json["edges"] = card.edges;
        json["operators"] = family.labels.size();
        print_json(json);
    } else {
        std::cout << fmt::format(
            "{}: {} learned from {} graphs of {:.1f} nodes, {:.1f} edges and {:.1f} layers on average, {} "
            "operators; {} bytes\n",
            options.file, card.model, card.graphs, card.nodes, card.edges, card.layers, family.labels.size(),
            bytes);
    }
    return ExitCode::ok;
}

}  // namespace

Action declare_fit(CLI::App& app) {
    const auto options = std::make_shared<FitOptions>();
    app.add_option(
           "traces", options->traces,
           "traces (PREFIX stands for PREFIX.0.et, …, one job), or graphs of operators (.jsonl, .jsonl.gz)")
        ->required()
        ->type_name("TRACES");
    app.add_option("-o,--output", options->file, "file of the family to write")
        ->required()
        ->type_name("F.model");
    app.add_option("--model", options->model, "kind of model (see dse list)")->capture_default_str();
    app.add_option("--data", options->data, "description of the traces, for the family's card")
        ->type_name("TEXT");
    app.add_option("--license", options->license, "license of the traces, for the family's card")
        ->type_name("TEXT");
    app.add_option("--nets", options->nets, "networks trained by analysis/layerdag, for --model layerdag")
        ->type_name("FILE");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    return [options] { return fit(*options); };
}

}  // namespace dse::app::synth
