#include "dse/sim/timeline.hpp"

#include <fmt/format.h>

namespace dse::sim {

bool is_received(const Span& span, const graph::Graph& graph) {
    const std::size_t own = graph.streams.size();
    return span.phase == Span::Phase::transfer && span.stream >= own && (span.stream - own) % 2 == 1;
}

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

std::string describe(const graph::Work& work) {
    using namespace graph;
    if (const auto* compute = std::get_if<Compute>(&work)) return std::string{name(compute->op_class)};
    if (const auto* collective = std::get_if<Collective>(&work))
        return fmt::format("{} {}", name(collective->kind), name(collective->axes));
    if (const auto* copy = std::get_if<Copy>(&work)) return std::string{name(copy->direction)};
    if (std::holds_alternative<HostUpdate>(work)) return "host update";
    return std::holds_alternative<Launch>(work) ? "launch" : "message";
}

}  // namespace dse::sim
