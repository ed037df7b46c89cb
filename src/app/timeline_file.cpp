#include "app/timeline_file.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/compressible_file.hpp"
#include "app/rank_choice.hpp"
#include "dse/eval/why/power_level.hpp"
#include "dse/sim/chrome_trace.hpp"

namespace dse::app {
namespace {

/// Indices of the timelines of the first stage, the last stage, and the stage with most of the critical path.
std::vector<std::size_t> representative(const eval::PlayedPoint& played) {
    const std::vector<sim::Timeline>& timelines = played.timelines();
    std::vector<double> on_path(timelines.size(), 0.0);
    for (const sim::PathStep& step : played.path()) {
        if (!step.who.is_none()) on_path[step.who.timeline] += step.end - step.start;
    }
    const auto longest = std::max_element(on_path.begin(), on_path.end()) - on_path.begin();
    std::vector<std::size_t> chosen{0, static_cast<std::size_t>(longest), timelines.size() - 1};
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::vector<std::size_t> chosen_timelines(const eval::PlayedPoint& played, const TimelineStages& stages) {
    const std::vector<sim::Timeline>& timelines = played.timelines();
    std::vector<std::size_t> chosen;
    if (stages.wanted.empty() && timelines.size() > TimelineStages::most) return representative(played);
    const bool all = stages.wanted.empty() || stages.wanted == "all";
    const auto listed =
        all ? std::vector<std::int64_t>{}
            : parse_ranks(stages.wanted, static_cast<std::int64_t>(timelines.size()), "stage");
    for (std::size_t t = 0; t < timelines.size(); ++t) {
        if (all || std::find(listed.begin(), listed.end(), timelines[t].stage) != listed.end())
            chosen.push_back(t);
    }
    return chosen;
}

/// Converts a reference into all timelines to one into the chosen ones; nothing if its timeline is not
/// chosen.
std::optional<sim::SpanRef> moved(sim::SpanRef ref, const std::vector<std::size_t>& chosen) {
    const auto found = std::find(chosen.begin(), chosen.end(), std::size_t{ref.timeline});
    if (ref.is_none() || found == chosen.end()) return std::nullopt;
    ref.timeline = static_cast<std::uint32_t>(found - chosen.begin());
    return ref;
}

/// The arrows, path and tracks that are visible if only some stages are shown.
sim::TraceMarks marks_of(const eval::PlayedPoint& played, const std::vector<std::size_t>& chosen,
                         const hardware::DeviceSpec& device) {
    sim::TraceMarks marks;
    for (sim::Arrow arrow : sim::arrows_of(played.dependencies(), played.timelines(), played.path())) {
        const auto from = moved(arrow.from, chosen);
        const auto to = moved(arrow.to, chosen);
        if (!from || !to) continue;
        marks.arrows.push_back({*from, *to, arrow.kind});
    }
    for (sim::PathStep step : played.path()) {
        const auto who = moved(step.who, chosen);
        if (who) marks.path.push_back({*who, step.start, step.end});
    }
    for (const std::size_t t : chosen) {
        marks.tracks.push_back(sim::memory_level(played.timelines()[t], played.graph()));
        marks.tracks.push_back(sim::bytes_in_flight(played.timelines()[t], played.graph()));
        auto power = eval::power_level(played.timelines()[t], played.graph(), device, played.unit());
        if (power) marks.tracks.push_back(std::move(*power));
    }
    marks.unit = played.unit();
    return marks;
}

}  // namespace

std::vector<std::uint32_t> write_timeline(const std::string& path, Existing existing,
                                          const eval::PlayedPoint& played, const TimelineStages& stages,
                                          const hardware::DeviceSpec& device) {
    const std::vector<std::size_t> chosen = chosen_timelines(played, stages);
    std::vector<sim::Timeline> shown;
    std::vector<std::uint32_t> numbers;
    for (const std::size_t t : chosen) {
        shown.push_back(played.timelines()[t]);
        numbers.push_back(shown.back().stage);
    }
    write_compressible(path, existing,
                       sim::to_chrome_trace(shown, played.graph(), marks_of(played, chosen, device)));
    return numbers;
}

}  // namespace dse::app
