#include "dse/sim/fold/region_player.hpp"

#include "dse/base/check.hpp"

namespace dse::sim::fold {

using workload::Item;
using workload::Region;
using workload::RegionId;
using workload::ValueRef;

void RegionPlayer::reset(const workload::Graph& graph, const Durations& durations) {
    graph_ = &graph;
    durations_ = &durations;
    node_visits_ = 0;
    // Repeats nest at most as deep as there are regions; frames must stay where they are while they are in
    // use.
    if (frames_.size() < graph.regions.size() + 1) frames_.resize(graph.regions.size() + 1);
}

void RegionPlayer::play(RegionId id, std::uint32_t program, std::span<Arrival> streams,
                        std::span<const Arrival> ports, std::span<Arrival> outputs, Parts& parts,
                        NodeObserver* observer) {
    const Region& region = graph_->regions[id.index()];
    DSE_EXPECT(ports.size() == region.ports && outputs.size() == region.outputs.size());
    Frame& frame = frames_[depth_++];
    frame.first_value_of.clear();
    frame.values.clear();
    for (const Item& item : region.items) {
        frame.first_value_of.push_back(frame.values.size());
        if (item.kind == Item::Kind::node) {
            play_node(item, id, streams, ports, frame, parts, observer);
        } else {
            play_repeat(item, program, streams, ports, frame, parts, observer);
        }
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) outputs[k] = value_of(region.outputs[k], ports, frame);
    --depth_;
}

const Arrival& RegionPlayer::value_of(ValueRef value, std::span<const Arrival> ports, const Frame& frame) {
    static const Arrival none = Arrival::none();
    switch (value.source) {
        case ValueRef::Source::none:
            break;
        case ValueRef::Source::port:
            return ports[value.index];
        case ValueRef::Source::item:
            return frame.values[frame.first_value_of[value.index] + value.output];
    }
    return none;
}

void RegionPlayer::play_node(const Item& item, RegionId region, std::span<Arrival> streams,
                             std::span<const Arrival> ports, Frame& frame, Parts& parts,
                             NodeObserver* observer) {
    ++node_visits_;
    const NodeTime& time = durations_->of_work[item.work.index()];
    const workload::Work& work = graph_->works[item.work.index()];
    const double hold = hold_of(time, item.stream);
    Arrival& stream = streams[item.stream.index()];
    Arrival& compute = streams[workload::compute_stream.index()];

    const Arrival* last = &stream;
    for (const ValueRef input : item.inputs) {
        const Arrival& value = value_of(input, ports, frame);
        if (value.time > last->time) last = &value;
    }
    if (hold > 0 && compute.time > last->time) last = &compute;
    const double start = last->time;
    const bool on_compute = item.stream == workload::compute_stream;
    if (on_compute || hold > 0) charge_wait(parts, compute.time, *last);
    if (on_compute) {
        if (const auto* kernel = std::get_if<workload::Compute>(&work)) {
            parts.compute[static_cast<std::size_t>(kernel->op_class)] += time.duration;
        } else {
            parts.charge(Cause::of(work), time.duration);
        }
    }
    const Arrival done = Arrival::after(*last, start + time.duration, Cause::of(work));
    frame.values.push_back(done);
    frame.values.back().time = start + time.visible;
    if (hold > 0) {
        parts.charge(Cause::of(work), hold);
        compute = Arrival{start + hold, {}};
    }
    stream = done;
    if (observer != nullptr)
        observer->on_node(item, region, start, done.time, hold > 0 ? start + hold : start);
}

void RegionPlayer::play_repeat(const Item& item, std::uint32_t program, std::span<Arrival> streams,
                               std::span<const Arrival> ports, Frame& frame, Parts& parts,
                               NodeObserver* observer) {
    const std::int64_t count = graph_->programs[program].counts[item.count.index()];
    frame.ports.clear();
    for (const ValueRef input : item.inputs) frame.ports.push_back(value_of(input, ports, frame));
    frame.outputs.resize(frame.ports.size());
    for (std::int64_t i = 0; i < count; ++i) {
        play(item.body, program, streams, frame.ports, frame.outputs, parts, observer);
        frame.ports.swap(frame.outputs);
    }
    frame.values.insert(frame.values.end(), frame.ports.begin(), frame.ports.end());
}

}  // namespace dse::sim::fold
