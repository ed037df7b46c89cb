#include "dse/sim/timeline.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dse::sim {

void to_seconds(std::vector<Timeline>& timelines, double unit) {
    if (unit == 1.0) return;
    for (Timeline& timeline : timelines) {
        timeline.end *= unit;
        for (Span& span : timeline.spans) {
            span.start *= unit;
            span.end *= unit;
            span.hold_end *= unit;
        }
    }
}

namespace {

using Json = nlohmann::ordered_json;
constexpr double microsecond = 1e-6;

std::string describe(const workload::Work& work) {
    if (const auto* compute = std::get_if<workload::Compute>(&work))
        return std::string{name(compute->op_class)};
    if (const auto* collective = std::get_if<workload::Collective>(&work)) {
        std::string axes;
        for (std::size_t a = 0; a < workload::mesh_axis_count; ++a) {
            const auto axis = static_cast<workload::MeshAxis>(a);
            if (!collective->axes.contains(axis)) continue;
            axes += fmt::format("{}{}", axes.empty() ? "" : "+", short_name(axis));
        }
        return fmt::format("{} {}", name(collective->kind), axes);
    }
    if (std::holds_alternative<workload::HostUpdate>(work)) return "host update";
    return std::holds_alternative<workload::Copy>(work) ? "copy" : "message";
}

std::string describe(const Span& span) {
    if (span.phase == Span::Phase::update) return "update";
    if (span.phase == Span::Phase::finish) return "finish";
    constexpr std::array<std::string_view, 3> passes{"forward", "backward", "weight"};
    const bool is_pair = span.task.form == workload::Form::overlapped && span.phase == Span::Phase::task;
    const std::string_view what = is_pair ? "overlapped" : passes[static_cast<std::size_t>(span.task.pass)];
    return fmt::format("{} {}.{}", what, span.task.microbatch, span.task.chunk);
}

Json label(std::string_view what, std::uint32_t stage, std::size_t stream, std::string_view text) {
    return {{"ph", "M"}, {"name", what}, {"pid", stage}, {"tid", stream}, {"args", {{"name", text}}}};
}

Json trace_event(const Span& span, std::uint32_t stage, const workload::Graph& graph) {
    Json args{{"task", describe(span)}};
    if (span.phase != Span::Phase::transfer) args["region"] = graph.regions[span.region.index()].name;
    if (span.hold_end > span.start) args["holds_compute_us"] = (span.hold_end - span.start) / microsecond;
    return {{"ph", "X"},
            {"name", describe(graph.works[span.work.index()])},
            {"pid", stage},
            {"tid", span.stream},
            {"ts", span.start / microsecond},
            {"dur", (span.end - span.start) / microsecond},
            {"args", std::move(args)}};
}

}  // namespace

std::string to_chrome_trace(const std::vector<Timeline>& timelines, const workload::Graph& graph) {
    Json events = Json::array();
    for (const Timeline& timeline : timelines) {
        events.push_back(label("process_name", timeline.stage, 0, fmt::format("stage {}", timeline.stage)));
        for (std::size_t s = 0; s < timeline.streams.size(); ++s) {
            events.push_back(label("thread_name", timeline.stage, s, timeline.streams[s]));
        }
        for (const Span& span : timeline.spans) events.push_back(trace_event(span, timeline.stage, graph));
    }
    const Json trace{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return trace.dump();
}

}  // namespace dse::sim
