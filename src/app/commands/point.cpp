#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/point_report.hpp"
#include "app/sweep_options.hpp"
#include "dse/sim/fold/folded_engine.hpp"

namespace dse::app {
namespace {

struct Options {
    SweepOptions sweep;
    bool json{false};
    std::string timeline;
};

/// What the streams of some stages do; empty where the point cannot be played so.
std::vector<sim::Timeline> timelines_of(const eval::Explanation& explanation,
                                        const std::vector<std::uint32_t>& stages) {
    std::vector<sim::Timeline> timelines;
    if (!has_result(explanation)) return timelines;
    try {
        sim::fold::FoldedEngine engine;
        engine.play(*explanation.graph, *explanation.durations, stages, timelines);
        sim::to_seconds(timelines, explanation.durations->unit);
    } catch (const ModelError&) {
        timelines.clear();
    }
    return timelines;
}

/// Decode is played for several steps, training and prefill once.
std::uint32_t steps_of(const workload::Graph& graph) {
    return graph.schedule.forward_only ? graph.schedule.chunks : 1;
}

void write_timeline(const std::string& file, const eval::Explanation& explanation) {
    if (!has_result(explanation)) throw InputError("--timeline: the point could not be played to the end");
    std::vector<std::uint32_t> stages(explanation.graph->program_of.size());
    std::iota(stages.begin(), stages.end(), 0U);
    const std::vector<sim::Timeline> timelines = timelines_of(explanation, stages);
    if (timelines.empty()) throw InputError("--timeline: engine 'folded' cannot play this point");
    std::ofstream stream(file, std::ios::binary);
    stream << sim::to_chrome_trace(timelines, *explanation.graph);
    stream.flush();
    if (!stream) throw InputError(fmt::format("cannot write the timeline to '{}'", file));
    std::cerr << fmt::format("timeline: {} (open it in chrome://tracing or ui.perfetto.dev)\n", file);
}

ExitCode point(const Options& options) {
    const eval::Sweep sweep = load(options.sweep);
    print_warnings(sweep);
    const PointChoice choice = first_point(sweep);
    print_open(sweep, choice);
    eval::Evaluator evaluator{sweep};
    const eval::Explanation explanation = evaluator.explain(choice.point);
    if (options.json) {
        print_json(point_json(*sweep.space, explanation));
    } else {
        const auto timelines = timelines_of(explanation, {explanation.result.limiting_stage});
        std::cout << point_text(sweep, explanation,
                                timelines.empty()
                                    ? std::vector<StreamUse>{}
                                    : stream_use(timelines.front(), steps_of(*explanation.graph)));
    }
    if (!options.timeline.empty()) write_timeline(options.timeline, explanation);
    return ExitCode::ok;
}

}  // namespace

Action declare_point(CLI::App& app) {
    const auto options = std::make_shared<Options>();
    add_sweep_options(app, options->sweep);
    app.add_flag("--json", options->json, "print JSON");
    app.add_option("--timeline", options->timeline,
                   "write what every stream of every stage does (Chrome, Perfetto)")
        ->type_name("FILE.json");
    app.footer("Axes that are not set take their first value that is valid together with the others.");
    return [options] { return point(*options); };
}

}  // namespace dse::app
