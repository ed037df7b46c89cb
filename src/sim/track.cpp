#include "dse/sim/track.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "sim/event/simulation.hpp"

namespace dse::sim {
double bytes_of(const graph::Work& work) {
    if (const auto* collective = std::get_if<graph::Collective>(&work)) return collective->size.value();
    if (const auto* transfer = std::get_if<graph::Transfer>(&work)) return transfer->size.value();
    return 0.0;
}

Track bytes_in_flight(const Timeline& timeline, const graph::Graph& graph) {
    std::vector<Track::Sample> changes;
    for (const Span& span : timeline.spans) {
        const double size = bytes_of(graph.works[span.work.index()]);
        if (size == 0.0 || span.end == span.start || span.is_loss || is_received(span, graph)) continue;
        changes.push_back({span.start, size});
        changes.push_back({span.end, -size});
    }
    std::sort(changes.begin(), changes.end(),
              [](const Track::Sample& a, const Track::Sample& b) { return a.time < b.time; });
    Track track{timeline.stage, "bytes in flight", {{0.0, 0.0}}};
    for (const Track::Sample& change : changes) {
        const double value = track.samples.back().value + change.value;
        if (track.samples.back().time < change.time) track.samples.push_back({change.time, value});
        track.samples.back().value = value;
    }
    return track;
}

Track memory_level(const Timeline& timeline, const graph::Graph& graph) {
    Track track{timeline.stage, "memory", {}};
    event::Rank rank{graph, timeline.stage, timeline.stage};
    event::MemoryCount& memory = rank.memory;
    track.samples.push_back({0.0, memory.level});
    auto span = timeline.spans.begin();
    event::NoBoundary nobody;
    while (const graph::Item* item = rank.cursor.next(nobody)) {
        while (span->phase == Span::Phase::transfer || span->is_loss) ++span;
        DSE_EXPECT(span->work == item->work);
        for (const graph::BufferId id : item->allocates) memory.allocate(graph.buffers[id.index()]);
        Track::Sample& last = track.samples.back();
        if (span->start > last.time) {
            if (memory.level != last.value) track.samples.push_back({span->start, memory.level});
        } else {
            last.value = std::max(last.value, memory.level);
        }
        for (const graph::BufferId id : item->frees) memory.free(graph.buffers[id.index()]);
        rank.cursor.yield({});
        ++span;
    }
    return track;
}

}  // namespace dse::sim
