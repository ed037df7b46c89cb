#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/force.hpp"
#include "app/point_report.hpp"
#include "app/sweep_options.hpp"
#include "app/why_report.hpp"
#include "dse/eval/frontend_of.hpp"
#include "dse/sim/chrome_trace.hpp"

namespace dse::app {
namespace {

struct PointOptions {
    SweepOptions sweep;
    bool json{false};
    bool what_if{true};
    std::string timeline;
    Existing existing{Existing::refuse};
};

/// What the point does moment by moment; none where it was not played to the end, or cannot be played so.
std::unique_ptr<eval::PlayedPoint> play(const eval::Explanation& explanation) {
    if (!has_result(explanation)) return nullptr;
    try {
        return std::make_unique<eval::PlayedPoint>(explanation);
    } catch (const ModelError& error) {
        std::cerr << fmt::format(
            "no critical path, no streams, for which every node has its place in time: {}\n", error.what());
        return nullptr;
    }
}

void write_timeline(const std::string& path, Existing existing, const eval::PlayedPoint* played) {
    if (played == nullptr) throw InputError("--timeline: the point could not be played to the end");
    sim::TraceMarks marks;
    marks.arrows = sim::arrows_of(played->dependencies(), played->timelines(), played->path());
    marks.path = played->path();
    marks.unit = played->unit();
    for (const sim::Timeline& timeline : played->timelines()) {
        marks.tracks.push_back(sim::memory_level(timeline, played->graph()));
        marks.tracks.push_back(sim::bytes_in_flight(timeline, played->graph()));
    }
    OutputFile file{path, existing};
    file.stream() << sim::to_chrome_trace(played->timelines(), played->graph(), marks);
    file.close();
    std::cerr << fmt::format("timeline: {} (open it in chrome://tracing or ui.perfetto.dev)\n", path);
}

std::vector<eval::Sensitivity> what_if(const study::Sweep& sweep, const eval::Explanation& explanation) {
    return eval::sensitivities(*explanation.scenario, explanation.result.iteration_time,
                               eval::frontend_of(sweep));
}

ExitCode point(const PointOptions& options) {
    if (!options.timeline.empty()) require_free(options.timeline, options.existing);
    const study::Sweep sweep = load_simulated(options.sweep);
    print_warnings(sweep);
    const study::PointChoice choice = first_point(sweep);
    print_open(sweep, choice);
    eval::Evaluator evaluator{sweep};
    const eval::Explanation explanation = evaluator.explain(choice.point);
    const std::unique_ptr<eval::PlayedPoint> played = play(explanation);
    Why why;
    why.iteration_time = explanation.result.iteration_time;
    if (played) why = why_of(*played, explanation);
    if (has_result(explanation) && options.what_if) why.sensitivities = what_if(sweep, explanation);
    if (options.json) {
        Json json = point_json(*sweep.space, explanation);
        if (has_result(explanation)) add_why(why, json);
        print_json(json);
    } else {
        std::cout << point_text(sweep, explanation);
        if (has_result(explanation)) std::cout << why_text(why);
    }
    if (!options.timeline.empty()) write_timeline(options.timeline, options.existing, played.get());
    return explanation.record.status == space::Status::ok ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_point(CLI::App& app) {
    const auto options = std::make_shared<PointOptions>();
    add_sweep_options(app, options->sweep);
    app.add_flag("--json", options->json, "print JSON");
    app.add_flag("--what-if,!--no-what-if", options->what_if,
                 "evaluate the point again with each number of the machine better (the default)");
    app.add_option("--timeline", options->timeline,
                   "write what every stream of every stage does (Chrome, Perfetto)")
        ->type_name("FILE.json");
    add_force(app, options->existing);
    app.footer("Axes that are not set take their first value that is valid together with the others.");
    return [options] { return point(*options); };
}

}  // namespace dse::app
