#include "dse/sim/fold/region_path.hpp"

#include <algorithm>

#include "dse/base/check.hpp"
#include "dse/graph/referenced_value.hpp"
#include "uniform_shift.hpp"

namespace dse::sim::fold {
namespace {

/// Largest number of paths that are kept for the next evaluation.
constexpr std::size_t most_kept_paths = 512;

/// The inputs that an output waited for.
InputSet inputs_with_largest_sum(const OperatorView::Rows& rows, std::size_t output,
                                 std::span<const double> inputs) {
    double last = absent;
    for (std::size_t j = 0; j < inputs.size(); ++j) last = later(last, rows.at(output, j) + inputs[j]);
    DSE_EXPECT(last != absent);
    InputSet result;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
        if (rows.at(output, j) + inputs[j] == last) result.add(j);
    }
    return result;
}

}  // namespace

void RegionPaths::reset(const graph::Graph& graph, const Durations& durations,
                        const OperatorView& operators) {
    graph_ = &graph;
    durations_ = &durations;
    operators_ = operators;
    if (generation_ != operators.generation() || count_ > most_kept_paths) forget();
    generation_ = operators.generation();
    if (frames_.size() < graph.regions.size() + 1) frames_.resize(graph.regions.size() + 1);
}

void RegionPaths::forget() {
    for (std::vector<Key>& keys : keys_) keys.clear();
    count_ = 0;
}

InputSet RegionPaths::last_inputs(graph::RegionId region, std::uint32_t program, std::size_t exit,
                                  std::span<const double> inputs) {
    return inputs_with_largest_sum(operators_->of(region, program), exit, inputs);
}

std::uint32_t RegionPaths::number_of(graph::RegionId region, std::uint32_t program, std::size_t exit,
                                     std::span<const double> inputs, std::size_t depth) {
    const std::uint32_t played = operators_->number_of(region, program);
    const InputSet last = last_inputs(region, program, exit, inputs);
    if (keys_.size() <= played) keys_.resize(2 * played + 1);
    for (const Key& key : keys_[played]) {
        if (key.exit == exit && key.last == last) return key.path;
    }
    const std::uint32_t number = build(region, program, exit, last, inputs, depth);
    keys_[played].push_back({exit, last, number});
    return number;
}

std::uint32_t RegionPaths::build(graph::RegionId id, std::uint32_t program, std::size_t exit,
                                 const InputSet& last, std::span<const double> inputs, std::size_t depth) {
    const graph::Region& region = graph_->regions[id.index()];
    const std::size_t streams = graph_->streams.size();
    Frame& frame = frames_[depth];
    frame.streams.clear();
    frame.ports.clear();
    for (std::size_t j = 0; j < inputs.size(); ++j) {
        Flow flow;
        if (last.contains(j)) flow.time = inputs[j];
        flow.from.number = static_cast<std::uint32_t>(j);
        flow.of_compute = j == graph::compute_stream.index();
        (j < streams ? frame.streams : frame.ports).push_back(flow);
    }
    play(region, program, frame);
    if (paths_.size() == count_) paths_.emplace_back();
    const auto number = static_cast<std::uint32_t>(count_++);
    RegionPath& path = paths_[number];
    path.sections.clear();
    path.length = 0;
    path.parts = {};
    path.behind = 0;
    follow(region, exit < streams ? frame.streams[exit] : flow_of(region.outputs[exit - streams], frame),
           program, depth, number);
    return number;
}

const RegionPaths::Flow& RegionPaths::flow_of(graph::ValueRef value, const Frame& frame) {
    static const Flow none;
    return graph::referenced_value<Flow>(value, frame.ports, frame.first_value_of, frame.values, none);
}

void RegionPaths::play(const graph::Region& region, std::uint32_t program, Frame& frame) {
    frame.values.clear();
    frame.first_value_of.clear();
    frame.nodes.clear();
    frame.repeat_count = 0;
    for (std::size_t i = 0; i < region.items.size(); ++i) {
        frame.first_value_of.push_back(frame.values.size());
        if (region.items[i].kind == graph::Item::Kind::node) {
            play_node(region, i, frame);
        } else {
            play_repeat(region, i, program, frame);
        }
    }
}

void RegionPaths::play_node(const graph::Region& region, std::size_t number, Frame& frame) const {
    const graph::Item& item = region.items[number];
    const NodeTime& time = durations_->of_work[item.work.index()];
    const double hold = hold_of(time, item.stream);
    Flow& stream = frame.streams[item.stream.index()];
    Flow& compute = frame.streams[graph::compute_stream.index()];
    const Flow* latest = &stream;
    for (const graph::ValueRef input : item.inputs) {
        const Flow& value = flow_of(input, frame);
        if (value.time > latest->time) latest = &value;
    }
    if (hold > 0 && compute.time > latest->time) latest = &compute;
    const Flow last = *latest;
    const Origin node{Origin::Kind::node, static_cast<std::uint32_t>(frame.nodes.size()), 0};
    frame.nodes.push_back({number, last.time, last});
    const bool on_compute = item.stream == graph::compute_stream;
    frame.values.push_back({last.time + time.visible, node, on_compute});
    stream = {last.time + time.duration, node, on_compute};
    if (hold > 0) compute = {last.time + hold, node, true};
    const double lost = lost_of(time, item.stream);
    if (lost == 0) return;
    const Origin loss{Origin::Kind::node, static_cast<std::uint32_t>(frame.nodes.size()), 0};
    frame.nodes.push_back({number, compute.time, compute, true});
    compute = {compute.time + lost, loss, true};
}

void RegionPaths::play_repeat(const graph::Region& region, std::size_t index, std::uint32_t program,
                              Frame& frame) {
    const graph::Item& item = region.items[index];
    const std::int64_t count = graph_->programs[program].counts[item.count.index()];
    if (count == 0) {
        for (const graph::ValueRef input : item.inputs) {
            const Flow value = flow_of(input, frame);  // not a reference into what grows
            frame.values.push_back(value);
        }
        return;
    }
    if (frame.repeats.size() == frame.repeat_count) frame.repeats.emplace_back();
    const auto number = static_cast<std::uint32_t>(frame.repeat_count++);
    Repeat& repeat = frame.repeats[number];
    repeat.item = index;
    repeat.body = item.body;
    repeat.count = count;
    repeat.entry = frame.streams;
    for (const graph::ValueRef input : item.inputs) repeat.entry.push_back(flow_of(input, frame));
    run_bodies(program, repeat);
    read_state(repeat, count, frame.state);
    const std::size_t streams = frame.streams.size();
    for (std::size_t i = 0; i < frame.state.size(); ++i) {
        const Flow flow{frame.state[i], {Origin::Kind::repeat, number, static_cast<std::uint32_t>(i)}, false};
        if (i >= streams) {
            frame.values.push_back(flow);
        } else if (repeat.moving[i] != 0) {
            frame.streams[i] = flow;
        }
    }
}

void RegionPaths::run_bodies(std::uint32_t program, Repeat& repeat) {
    const OperatorView::Rows body = operators_->of(repeat.body, program);
    const std::uint64_t used = operators_->streams_of(repeat.body, program);
    const std::size_t numbers = repeat.entry.size();
    DSE_EXPECT(body.inputs == numbers && body.outputs == numbers);
    repeat.moving.assign(numbers, 1);
    for (std::size_t s = 0; s < graph_->streams.size(); ++s)
        repeat.moving[s] = static_cast<std::uint8_t>(used >> s & 1U);
    repeat.states.clear();
    for (const Flow& flow : repeat.entry) repeat.states.push_back(flow.time);
    for (repeat.known = 1; repeat.known <= repeat.count; ++repeat.known) {
        const std::size_t begin = repeat.states.size();
        repeat.states.resize(begin + numbers);
        const std::span<const double> before{repeat.states.data() + begin - numbers, numbers};
        const std::span<double> now{repeat.states.data() + begin, numbers};
        for (std::size_t i = 0; i < numbers; ++i) {
            now[i] = absent;
            for (std::size_t j = 0; j < numbers; ++j) now[i] = later(now[i], body.at(i, j) + before[j]);
        }
        if (repeat.known == repeat.count) continue;
        const std::optional<double> shift = uniform_shift(before, now, repeat.moving);
        if (!shift) continue;
        repeat.shift = *shift;
        ++repeat.known;
        return;
    }
}

/// The state before run number `run`, from 0, or behind the last one.
void RegionPaths::read_state(const Repeat& repeat, std::int64_t run, std::vector<double>& state) {
    const std::size_t numbers = repeat.entry.size();
    const std::int64_t from = std::min(run, repeat.known - 1);
    const double* const known = repeat.states.data() + static_cast<std::size_t>(from) * numbers;
    state.assign(known, known + numbers);
    if (run == from) return;
    const double by = static_cast<double>(run - from) * repeat.shift;
    for (std::size_t i = 0; i < numbers; ++i) {
        if (repeat.moving[i] != 0) state[i] += by;
    }
}

/// Goes back from an exit of the region in a frame.
void RegionPaths::follow(const graph::Region& region, const Flow& exit, std::uint32_t program,
                         std::size_t depth, std::uint32_t number) {
    Frame& frame = frames_[depth];
    RegionPath& path = paths_[number];
    Flow flow = exit;
    while (flow.from.kind != Origin::Kind::input) {
        if (flow.from.kind == Origin::Kind::repeat) {
            const std::size_t input = follow_repeat(flow.from, program, depth, number);
            flow = frame.repeats[flow.from.number].entry[input];
            continue;
        }
        const Node& node = frame.nodes[flow.from.number];
        const graph::WorkId work = region.items[node.item].work;
        const double length = flow.time - node.start;
        if (path.sections.empty())
            path.behind = node.is_loss ? 0.0 : durations_->of_work[work.index()].duration - length;
        path.parts.charge_run(graph_->works[work.index()], length);
        append(path, {node.item, flow.of_compute, RegionPath::no_body, 1, length});
        flow = node.last;
    }
    path.input = flow.from.number;
}

/// Goes back through the runs of a body. \return the input of the first one
std::size_t RegionPaths::follow_repeat(const Origin& from, std::uint32_t program, std::size_t depth,
                                       std::uint32_t number) {
    Frame& frame = frames_[depth];
    const Repeat& repeat = frame.repeats[from.number];
    RegionPath& path = paths_[number];
    std::size_t exit = from.exit;
    for (std::int64_t run = repeat.count; run > 0;) {
        read_state(repeat, run - 1, frame.state);
        const std::uint32_t body = number_of(repeat.body, program, exit, frame.state, depth + 1);
        const RegionPath& run_path = paths_[body];
        // Where all that moves is later by one time, the runs before this one are like it.
        const bool goes_on = run_path.input == exit && run > repeat.known;
        const std::int64_t times = goes_on ? run - repeat.known + 1 : 1;
        if (!run_path.sections.empty()) {
            if (path.sections.empty()) path.behind = run_path.behind;
            path.parts.add(run_path.parts, static_cast<double>(times));
            append(path, {repeat.item, false, body, static_cast<std::uint32_t>(times), run_path.length});
        }
        exit = run_path.input;
        run -= times;
    }
    return exit;
}

void RegionPaths::append(RegionPath& path, const RegionPath::Section& section) {
    path.length += section.times * section.length;
    const bool repeats_last = section.body != RegionPath::no_body && !path.sections.empty() &&
                              path.sections.back().item == section.item &&
                              path.sections.back().body == section.body;
    if (repeats_last) {
        path.sections.back().times += section.times;
    } else {
        path.sections.push_back(section);
    }
}

}  // namespace dse::sim::fold
