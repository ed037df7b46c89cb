#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/force.hpp"
#include "app/synth/graph_line.hpp"
#include "app/synth/synth.hpp"
#include "dse/base/output_file.hpp"

namespace dse::app::synth {
namespace {

struct GraphsOptions {
    std::vector<std::string> traces;
    std::string file;
    Existing existing{Existing::refuse};
};

ExitCode write_graphs(const GraphsOptions& options) {
    OutputFile file{options.file, options.existing};
    dse::synth::Corpus corpus;
    load_graphs(options.traces, corpus);
    for (const dse::synth::SmallGraph& graph : corpus.graphs)
        file.stream() << graph_line(graph, corpus.labels).dump() << '\n';
    file.close();
    std::cout << fmt::format("{}: {} graphs, {} operators\n", options.file, corpus.graphs.size(),
                             corpus.labels.size());
    return ExitCode::ok;
}

}  // namespace

Action declare_graphs(CLI::App& app) {
    const auto options = std::make_shared<GraphsOptions>();
    app.add_option(
           "traces", options->traces,
           "traces (PREFIX stands for PREFIX.0.et, …, one job), or graphs of operators (.jsonl, .jsonl.gz)")
        ->required()
        ->type_name("TRACES");
    app.add_option("-o,--output", options->file,
                   "file to write: one graph per line, as analysis/layerdag reads them")
        ->required()
        ->type_name("FILE.jsonl");
    add_force(app, options->existing);
    return [options] { return write_graphs(*options); };
}

}  // namespace dse::app::synth
