#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/choice_option.hpp"
#include "app/command.hpp"
#include "app/flags/framework_flags.hpp"
#include "app/force.hpp"
#include "app/point_report.hpp"
#include "app/sweep_options.hpp"
#include "app/timeline_file.hpp"
#include "app/why_report.hpp"
#include "dse/eval/frontend_of.hpp"

namespace dse::app {
namespace {

const std::map<std::string, Framework> frameworks{{"megatron", Framework::megatron},
                                                  {"torchtitan", Framework::torchtitan},
                                                  {"maxtext", Framework::maxtext},
                                                  {"vllm", Framework::vllm}};

struct PointOptions {
    SweepOptions sweep;
    bool json{false};
    bool what_if{true};
    std::string timeline;
    TimelineStages stages;
    std::optional<Framework> framework;
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

void write_timeline_of(const PointOptions& options, const eval::PlayedPoint* played,
                       const eval::Explanation& explanation) {
    if (played == nullptr) throw InputError("--timeline: the point could not be played to the end");
    const std::vector<std::uint32_t> shown =
        write_timeline(options.timeline, options.existing, *played, options.stages,
                       explanation.scenario->system.cluster.device);
    const std::size_t all = played->timelines().size();
    std::cerr << fmt::format("timeline: {} (open it in chrome://tracing or ui.perfetto.dev)\n",
                             options.timeline);
    if (shown.size() < all)
        std::cerr << fmt::format("  of {} stages it shows {}; --timeline-stages all shows all\n", all,
                                 fmt::join(shown, ", "));
}

void print_flags(const FrameworkFlags& flags) {
    std::cout << fmt::format("\nflags:\n  {}\n", fmt::join(flags.flags, " \\\n  "));
    for (const std::string& missing : flags.missing) std::cout << "  # " << missing << '\n';
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
    std::optional<FrameworkFlags> flags;
    if (options.framework && explanation.scenario == nullptr)
        throw InputError("--flags: the point cannot be bound to a workload");
    if (options.framework) flags = framework_flags(*options.framework, *explanation.scenario);
    if (options.json) {
        Json json = point_json(*sweep.space, explanation);
        if (has_result(explanation)) add_why(why, json);
        if (flags) json["flags"] = {{"flags", flags->flags}, {"missing", flags->missing}};
        print_json(json);
    } else {
        std::cout << point_text(sweep, explanation);
        if (has_result(explanation)) std::cout << why_text(why);
        if (flags) print_flags(*flags);
    }
    if (!options.timeline.empty()) write_timeline_of(options, played.get(), explanation);
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
                   "write what every stream of every stage does (Chrome, Perfetto); .json.gz: compressed")
        ->type_name("FILE.json");
    app.add_option(
           "--timeline-stages", options->stages.wanted,
           "of it: all, or a list; by default the first, the last and the limiting one of more than four")
        ->type_name("all|0,8,12-15");
    app.add_option_function<Framework>(
           "--flags", [options](const Framework& chosen) { options->framework = chosen; },
           "print what a framework is told to run this point")
        ->type_name("megatron|torchtitan|maxtext|vllm")
        ->transform(choice_of(frameworks));
    add_force(app, options->existing);
    app.footer("Axes that are not set take their first value that is valid together with the others.");
    return [options] { return point(*options); };
}

}  // namespace dse::app
