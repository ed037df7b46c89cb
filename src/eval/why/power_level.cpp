#include "dse/eval/why/power_level.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "dse/model/energy.hpp"

namespace dse::eval {
namespace {

using sim::Track;

Joules energy_of(const graph::Work& work, const hardware::DeviceSpec& device) {
    if (const auto* compute = std::get_if<graph::Compute>(&work)) {
        return compute->executed_flop * model::energy_of_operation(device, compute->precision) +
               (compute->read + compute->written) * device.power.per_memory_byte;
    }
    return Bytes{sim::bytes_of(work)} * device.power.per_link_byte;
}

/// Changes of the power level in chronological order.
std::vector<Track::Sample> power_changes(const sim::Timeline& timeline, const graph::Graph& graph,
                                         const hardware::DeviceSpec& device, double unit) {
    std::vector<Track::Sample> changes;
    for (const sim::Span& span : timeline.spans) {
        const double joules = energy_of(graph.works[span.work.index()], device).value();
        if (joules == 0.0 || span.end == span.start || span.is_loss || sim::is_received(span, graph))
            continue;
        const double watts = joules / ((span.end - span.start) * unit);
        changes.push_back({span.start, watts});
        changes.push_back({span.end, -watts});
    }
    std::ranges::sort(changes, {}, &Track::Sample::time);
    return changes;
}

}  // namespace

std::optional<Track> power_level(const sim::Timeline& timeline, const graph::Graph& graph,
                                 const hardware::DeviceSpec& device, double unit) {
    const hardware::PowerSpec& power = device.power;
    if (power.per_flop <= JoulesPerFlop{}) return std::nullopt;
    const double idle = model::power_of_nothing(power).value();
    const double limit = power.tdp > Watts{} ? power.tdp.value() : std::numeric_limits<double>::infinity();
    Track track{timeline.stage, "power", {{0.0, idle}}, "watts"};
    double level = idle;
    for (const Track::Sample& change : power_changes(timeline, graph, device, unit)) {
        level += change.value;
        if (track.samples.back().time < change.time) track.samples.push_back({change.time, 0.0});
        track.samples.back().value = std::clamp(level, idle, limit);
    }
    return track;
}

}  // namespace dse::eval
