#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/human.hpp"
#include "app/json_output.hpp"
#include "app/rank_choice.hpp"
#include "app/sweep_options.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/study/point_choice.hpp"
#include "dse/trace/chakra/export.hpp"

namespace dse::app {
namespace {

namespace chakra = trace::chakra;

struct TraceOptions {
    SweepOptions sweep;
    std::string prefix;
    std::string ranks{"all"};
    bool gzip{false};
    bool json{false};
    Existing existing{Existing::refuse};
};

/// Prefix of the files; in a folder, they are named after the sweep.
std::string prefix_of(const TraceOptions& options, const study::Sweep& sweep) {
    if (options.prefix.empty()) throw InputError("--output: the traces need a name");
    const bool folder = options.prefix.back() == '/' || std::filesystem::is_directory(options.prefix);
    return folder ? (std::filesystem::path{options.prefix} / sweep.name).string() : options.prefix;
}

std::vector<std::int64_t> ranks_of(const TraceOptions& options, const graph::Mesh& mesh) {
    if (options.ranks == "classes") return chakra::one_rank_of_each_stage(mesh);
    if (options.ranks == "all") return chakra::every_rank(mesh);
    return parse_ranks(options.ranks, mesh.ranks());
}

/// Durations of works on the device of the point, if its models have an answer.
std::vector<double> seconds_of(const eval::Explanation& explanation) {
    std::vector<double> seconds;
    if (explanation.durations == nullptr) return seconds;
    if (!explanation.durations->kernel_tables.empty()) {
        std::cerr << "warning: some ranks of a stage have other kernel times (system.stragglers or "
                     "system.device_classes); their traces contain those of the cluster's device\n";
    }
    for (const sim::NodeTime& time : explanation.durations->of_work) {
        seconds.push_back(time.duration * explanation.durations->unit);
    }
    return seconds;
}

const graph::Graph& graph_of(const eval::Explanation& explanation) {
    if (explanation.graph == nullptr)
        throw InputError(fmt::format("the point has no ranks to trace: {}", explanation.record.reason));
    if (explanation.record.status != space::Status::ok)
        std::cerr << fmt::format("warning: the point would not run: {}\n", explanation.record.reason);
    return *explanation.graph;
}

/// A progress line on a terminal, updated a few times per second.
class ProgressLine {
  public:
    explicit ProgressLine(std::size_t files) : files_{files}, shown_{isatty(STDERR_FILENO) == 1} {}
    ~ProgressLine() {
        if (drawn_) std::cerr << "\r\x1b[K";
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void update(std::size_t done) {
        const auto now = std::chrono::steady_clock::now();
        if (!shown_ || now - last_ < std::chrono::milliseconds{200}) return;
        last_ = now;
        drawn_ = true;
        std::cerr << fmt::format("\r{} of {} traces", human_count(std::uint64_t{done}),
                                 human_count(std::uint64_t{files_}));
    }

  private:
    std::size_t files_;
    bool shown_;
    bool drawn_{false};
    std::chrono::steady_clock::time_point last_{std::chrono::steady_clock::now()};
};

chakra::ExportSummary write(const TraceOptions& options, const std::string& prefix,
                            const eval::Explanation& explanation) {
    const graph::Graph& graph = graph_of(explanation);
    chakra::ExportOptions wanted;
    wanted.prefix = prefix;
    wanted.ranks = ranks_of(options, graph.mesh);
    wanted.compression = options.gzip ? chakra::Compression::gzip : chakra::Compression::none;
    ProgressLine line{wanted.ranks.size()};
    wanted.stopped = dist::stop_requested;
    wanted.existing = options.existing;
    wanted.progress = [&line](std::size_t done) { line.update(done); };
    return chakra::export_traces(graph, seconds_of(explanation), wanted);
}

void print(const TraceOptions& options, const std::string& prefix, const chakra::ExportSummary& summary,
           const graph::Mesh& mesh) {
    if (options.json) {
        Json object = json_object();
        object["prefix"] = prefix;
        object["ranks"] = mesh.ranks();
        object["files"] = summary.files;
        object["nodes"] = summary.nodes;
        object["bytes"] = summary.bytes;
        object["communicators"] = summary.communicators;
        object["communicator_file"] = summary.communicator_file;
        print_json(object);
        return;
    }
    std::cout << fmt::format("{}.<rank>.et: {} of {} ranks, {} nodes, {}\n{}: {} communicators\n", prefix,
                             human_count(summary.files),
                             human_count(static_cast<std::uint64_t>(mesh.ranks())),
                             human_count(summary.nodes), human_bytes(static_cast<double>(summary.bytes)),
                             summary.communicator_file, human_count(std::uint64_t{summary.communicators}));
}

/// The first point of the space; if it does not fit into memory and axes were left open, the first that does.
study::PointChoice chosen(const study::Sweep& sweep, eval::Evaluator& evaluator) {
    const study::PointChoice first = first_point(sweep);
    const auto fits = [&](const space::Point& point) {
        space::Record record;
        evaluator.evaluate(point, record);
        return record.status != space::Status::out_of_memory;
    };
    return first.open.empty() ? first : first_point(sweep, fits);
}

ExitCode trace(const TraceOptions& options) {
    dist::install_stop_signals();
    const study::Sweep sweep = load_simulated(options.sweep);
    const std::string prefix = prefix_of(options, sweep);
    print_warnings(sweep);
    eval::Evaluator evaluator{sweep};
    evaluator.stop_when(dist::stop_requested);
    const study::PointChoice choice = chosen(sweep, evaluator);
    print_open(sweep, choice);
    const eval::Explanation explanation = evaluator.explain(choice.point);
    const chakra::ExportSummary summary = write(options, prefix, explanation);
    print(options, prefix, summary, explanation.graph->mesh);
    return ExitCode::ok;
}

}  // namespace

Action declare_trace(CLI::App& app) {
    const auto options = std::make_shared<TraceOptions>();
    add_sweep_options(app, options->sweep);
    app.add_option("-o,--output", options->prefix,
                   "write PREFIX.<rank>.et and PREFIX.json; if PREFIX is a folder, files in it are named "
                   "after the sweep")
        ->required()
        ->type_name("PREFIX");
    app.add_option("--ranks", options->ranks,
                   "all, classes (one rank per pipeline stage, since the others run the same), or a list")
        ->type_name("all|classes|0,8,16-23")
        ->capture_default_str();
    app.add_flag("--gzip", options->gzip, "compress the traces");
    add_force(app, options->existing);
    app.add_flag("--json", options->json, "print JSON");
    app.footer(
        "Axes that are not set take their first values with which the point is valid and fits into memory.");
    return [options] { return trace(*options); };
}

}  // namespace dse::app
