#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/choice_option.hpp"
#include "app/command.hpp"
#include "app/explained_point.hpp"
#include "app/flags/framework_flags.hpp"
#include "app/force.hpp"
#include "app/output_width.hpp"
#include "app/point_report.hpp"
#include "app/requests_file.hpp"
#include "app/series_file.hpp"
#include "app/sweep_options.hpp"
#include "app/timeline_file.hpp"
#include "app/why_report.hpp"

namespace dse::app {
namespace {

const std::map<std::string, Framework> frameworks{
    {"megatron", Framework::megatron}, {"torchtitan", Framework::torchtitan}, {"maxtext", Framework::maxtext},
    {"vllm", Framework::vllm},         {"sglang", Framework::sglang},         {"trtllm", Framework::trtllm}};

struct PointOptions {
    SweepOptions sweep;
    bool json{false};
    WhatIf what_if{WhatIf::evaluated};
    std::string timeline;
    TimelineStages stages;
    std::string series;
    std::string requests;
    std::optional<Framework> framework;
    Existing existing{Existing::refuse};
};

void write_timeline_of(const PointOptions& options, const ExplainedPoint& explained) {
    const eval::Explanation& explanation = explained.explanation();
    const eval::PlayedPoint* played = explained.played();
    if (played == nullptr) {
        const std::string& why = explained.why_not_played();
        throw InputError(
            fmt::format("--timeline: the point has none: {}", why.empty() ? explanation.record.reason : why));
    }
    const std::vector<std::uint32_t> shown =
        write_timeline(options.timeline, options.existing, *played, options.stages,
                       explanation.scenario->system.cluster.device);
    const std::size_t all = played->timelines().size();
    std::cerr << fmt::format("timeline: {} (open it in chrome://tracing or ui.perfetto.dev)\n",
                             options.timeline);
    if (explanation.scenario->workload.mode == graph::Mode::serving)
        std::cerr << "  it shows one decode step; --series FILE.csv writes the queue and the cache use over "
                     "the run\n";
    if (shown.size() < all)
        std::cerr << fmt::format("  of {} stages it shows {}; --timeline-stages all shows all\n", all,
                                 fmt::join(shown, ", "));
}

void print_flags(const FrameworkFlags& flags) {
    std::cout << fmt::format("\nflags{}:\n  {}\n",
                             flags.role.empty() ? "" : fmt::format(" of a {} worker", flags.role),
                             fmt::join(flags.flags, " \\\n  "));
    for (const std::string& missing : flags.missing) std::cout << "  # " << missing << '\n';
    if (!flags.configuration.empty())
        std::cout << fmt::format("config.yaml:\n  {}\n", fmt::join(flags.configuration, "\n  "));
}

Json flags_json(const std::vector<FrameworkFlags>& all) {
    Json json = Json::object();
    for (const FrameworkFlags& flags : all) {
        Json& own = flags.role.empty() ? json : json[flags.role];
        own["flags"] = flags.flags;
        own["missing"] = flags.missing;
        if (!flags.configuration.empty()) own["configuration"] = flags.configuration;
    }
    return json;
}

/// The id that the point has in the rows of the sweep without --set; nothing if it is not among them.
std::optional<std::uint64_t> id_of(const SweepOptions& options, const study::Sweep& sweep,
                                   const space::Point& point) {
    if (options.settings.empty()) return point.id;
    try {
        return study::id_in(*load({options.file, {}}).space, *sweep.space, point);
    } catch (const InputError&) {
        return std::nullopt;  // the file needs what --set states
    }
}

/// A point whose requests nobody waited for has no course and no answers, for a reason that it states.
void require_result_for_files(const PointOptions& options, const eval::Explanation& explanation) {
    const std::string& reason = explanation.record.reason;
    if (reason.empty() || has_result(explanation)) return;
    for (const auto& [option, path] :
         {std::pair{"--series", &options.series}, {"--requests", &options.requests}})
        if (!path->empty()) throw InputError(fmt::format("{}: the point has no result: {}", option, reason));
}

ExitCode point(const PointOptions& options) {
    for (const std::string& file : {options.timeline, options.series, options.requests}) {
        if (file.empty()) continue;
        require_another(file, options.sweep.file);
        require_writable(file, options.existing);
    }
    const study::Sweep sweep = load_simulated(options.sweep);
    print_warnings(sweep);
    study::PointChoice choice = first_point(sweep);
    print_open(sweep, choice);
    // The row's id: random inputs of the point depend on it.
    const std::optional<std::uint64_t> id = id_of(options.sweep, sweep, choice.point);
    choice.point.id = id.value_or(choice.point.id);
    const ExplainedPoint explained{sweep, choice.point, options.what_if};
    const eval::Explanation& explanation = explained.explanation();
    if (!explained.why_not_played().empty())
        std::cerr << fmt::format(
            "no critical path and no streams, which engine folded lists for all engines: {}\n",
            explained.why_not_played());
    std::vector<FrameworkFlags> flags;
    if (options.framework && explanation.scenario == nullptr)
        throw InputError("--flags: the point cannot be bound to a workload");
    if (options.framework) flags = framework_flags(*options.framework, *explanation.scenario);
    if (options.json) {
        Json json = explained.json();
        if (!id) json["point"]["id"] = nullptr;
        if (!flags.empty()) json["flags"] = flags_json(flags);
        print_json(json);
    } else {
        std::string text = point_text(sweep, explanation, id);
        if (has_result(explanation)) text += why_text(explained.why());
        std::cout << fitted_lines(text);
        for (const FrameworkFlags& each : flags) print_flags(each);
    }
    if (!options.timeline.empty()) write_timeline_of(options, explained);
    require_result_for_files(options, explanation);
    if (!options.series.empty()) write_series(options.series, options.existing, explanation);
    if (!options.requests.empty()) write_requests(options.requests, options.existing, explanation);
    return explanation.record.status == space::Status::ok ? ExitCode::ok : ExitCode::answer_is_no;
}

}  // namespace

Action declare_point(CLI::App& app) {
    const auto options = std::make_shared<PointOptions>();
    add_sweep_options(app, options->sweep);
    app.add_flag("--json", options->json, "print JSON");
    app.add_flag_function(
        "--what-if,!--no-what-if",
        [options](std::int64_t times) {
            options->what_if = times > 0 ? WhatIf::evaluated : WhatIf::left_out;
        },
        "show how much each better machine parameter would help (default)");
    app.add_option("--timeline", options->timeline,
                   "write a timeline of every stream (Chrome, Perfetto); .json.gz: compressed")
        ->type_name("FILE.json");
    app.add_option("--timeline-stages", options->stages.wanted,
                   "stages in the timeline: all, or a list; by default, if there are more than four, the "
                   "first, the last and the limiting one")
        ->type_name("all|0,8,12-15");
    app.add_option("--series", options->series,
                   "mode serving: write queue, running requests, cache use and latency over time")
        ->type_name("FILE.csv");
    app.add_option("--requests", options->requests,
                   "mode serving: write every request with its times and replica")
        ->type_name("FILE.csv");
    app.add_option_function<Framework>(
           "--flags", [options](const Framework& chosen) { options->framework = chosen; },
           "print the flags with which a framework runs this point")
        ->type_name("megatron|torchtitan|maxtext|vllm|sglang|trtllm")
        ->transform(choice_of(frameworks));
    add_force(app, options->existing);
    app.footer("Axes that are not set take their first value that is valid in combination with the others.");
    return [options] { return point(*options); };
}

}  // namespace dse::app
