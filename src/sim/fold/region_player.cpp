#include "dse/sim/fold/region_player.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/check.hpp"
#include "dse/graph/referenced_value.hpp"

namespace dse::sim::fold {

using graph::Item;
using graph::Region;
using graph::RegionId;
using graph::ValueRef;

namespace {

/// Largest number of iterations among which a cycle is searched.
constexpr std::size_t longest_cycle = 12;

const Arrival& value_of(ValueRef value, std::span<const Arrival> ports,
                        const std::vector<std::size_t>& first_of, const std::vector<Arrival>& values) {
    static const Arrival none = Arrival::none();
    return graph::referenced_value<Arrival>(value, ports, first_of, values, none);
}

bool is_guarded(const EntryUse& use, std::size_t stream, const Arrival& free,
                std::span<const Arrival> ports) {
    if (stream >= EntryUse::most_guarded) return false;
    for (unsigned guards = use.guards[stream], p = 0; guards != 0; guards >>= 1U, ++p) {
        if ((guards & 1U) != 0 && ports[p].time > free.time) return true;
    }
    return false;
}

/// A region that begins with a kernel that waits for ports only: waits for them now, so that what follows
/// does not depend on how long that took.
void wait_for_first_ports(const EntryUse& use, Arrival& compute, std::span<const Arrival> ports, Parts& parts,
                          Waits* waits) {
    if (!use.begins_with_ports) return;
    const Arrival* last = &compute;
    for (std::size_t i = 0; i < use.first_port_count; ++i) {
        const Arrival& port = ports[use.first_ports[i]];
        if (port.time > last->time) last = &port;
    }
    charge_wait(compute.time, *last, parts, waits);
    compute = Arrival{last->time, {}};
}

}  // namespace

void RegionPlayer::reset(const graph::Graph& graph, const Durations& durations, const RegionTable& table,
                         NodeObserver* observer, Waits* waits) {
    graph_ = &graph;
    durations_ = &durations;
    table_ = &table;
    observer_ = observer;
    waits_ = waits;
    node_visits_ = 0;
    facts_.clear();
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        const auto* kernel = std::get_if<graph::Compute>(&graph.works[i]);
        facts_.push_back({durations.of_work[i], Cause::of(graph.works[i]),
                          kernel == nullptr ? no_kernel : static_cast<std::uint8_t>(kernel->op_class)});
    }
    uses_.reset(graph, durations, table);
    if (memos_.size() < table.slots()) memos_.resize(table.slots());
    memo_since_.resize(memos_.size(), 0);
    if (observer == nullptr && memos_have_waits_ != (waits != nullptr)) {
        memos_have_waits_ = waits != nullptr;
        std::fill(memo_since_.begin(), memo_since_.end(), 0);
    }
    // Repeats are nested at most as deeply as there are regions. Frames must not move while they are in use.
    if (frames_.size() < graph.regions.size() + 1) frames_.resize(graph.regions.size() + 1);
}

RegionMemo& RegionPlayer::memo_of(RegionId region, std::uint32_t program) {
    const std::size_t slot = table_->slot(region, program);
    const std::uint64_t since = uses_.of(region, program).since;
    if (memo_since_[slot] != since) {
        const Region& played = graph_->regions[region.index()];
        const std::size_t streams = graph_->streams.size();
        memos_[slot].reset(streams + played.ports, streams + played.outputs.size());
        memo_since_[slot] = since;
    }
    return memos_[slot];
}

void RegionPlayer::note_waits_until(double time, RegionId region, std::uint32_t program,
                                    std::span<Arrival> streams, std::span<const Arrival> ports) {
    stop_at_ = time;
    no_outputs_.resize(graph_->regions[region.index()].outputs.size());
    play_items(region, program, streams, ports, no_outputs_, no_parts_);
    stop_at_ = never;
}

std::uint64_t RegionPlayer::play(RegionId region, std::uint32_t program, std::span<Arrival> streams,
                                 std::span<const Arrival> ports, std::span<Arrival> outputs, Parts& parts) {
    if (observer_ != nullptr || stop_at_ != never) {
        play_items(region, program, streams, ports, outputs, parts);
        return RegionMemo::none;
    }
    const EntryUse& use = uses_.of(region, program);
    Arrival& compute = streams[graph::compute_stream.index()];
    wait_for_first_ports(use, compute, ports, parts, waits_);
    const double entry = compute.time;

    Frame& frame = frames_[depth_];
    make_key(use, streams, ports, frame.key);
    RegionMemo& memo = memo_of(region, program);
    std::uint64_t number = memo.find(frame.key);
    if (number == RegionMemo::none) number = remember(region, program, memo, frame);

    const RegionMemo::Entry played = memo.at(number);
    parts.add(*played.parts, 1);
    if (waits_ != nullptr) waits_->append(played.waits, entry);
    for (std::size_t s = 0; s < streams.size(); ++s) {
        if ((use.used_streams & bit(s)) != 0) streams[s] = shifted(played.exit[s], entry);
    }
    for (std::size_t k = 0; k < outputs.size(); ++k)
        outputs[k] = shifted(played.exit[streams.size() + k], entry);
    return number;
}

void RegionPlayer::make_key(const EntryUse& use, std::span<const Arrival> streams,
                            std::span<const Arrival> ports, std::vector<Arrival>& key) const {
    const double entry = streams[graph::compute_stream.index()].time;
    const auto add = [&key, entry](const Arrival& arrival, bool is_used, bool may_start_early) {
        const bool matters = is_used && (may_start_early || arrival.time > entry);
        key.push_back(matters ? as_seen_from(entry, arrival) : Arrival::none());
    };
    key.clear();
    key.push_back(Arrival{});
    for (std::size_t s = 1; s < streams.size(); ++s) {
        const bool is_used = (use.used_streams & bit(s)) != 0 && !is_guarded(use, s, streams[s], ports);
        add(streams[s], is_used, (use.early_streams & bit(s)) != 0);
    }
    for (std::size_t p = 0; p < ports.size(); ++p) {
        add(ports[p], (use.used_ports & bit(p)) != 0, (use.early_ports & bit(p)) != 0);
    }
}

std::uint64_t RegionPlayer::remember(RegionId region, std::uint32_t program, RegionMemo& memo, Frame& frame) {
    const std::size_t streams = graph_->streams.size();
    frame.exit.assign(frame.key.begin(), frame.key.begin() + static_cast<std::ptrdiff_t>(streams));
    frame.exit.resize(streams + graph_->regions[region.index()].outputs.size());
    Parts parts;
    Waits inside;
    Waits* const outside = std::exchange(waits_, waits_ == nullptr ? nullptr : &inside);
    const std::span<Arrival> exit{frame.exit};
    play_items(region, program, exit.first(streams), std::span<const Arrival>{frame.key}.subspan(streams),
               exit.subspan(streams), parts);
    waits_ = outside;
    return memo.insert(frame.key, frame.exit, parts, inside);
}

void RegionPlayer::play_items(RegionId id, std::uint32_t program, std::span<Arrival> streams,
                              std::span<const Arrival> ports, std::span<Arrival> outputs, Parts& parts) {
    const Region& region = graph_->regions[id.index()];
    DSE_EXPECT(ports.size() == region.ports);
    Frame& frame = frames_[depth_++];
    frame.first_value_of.clear();
    frame.values.clear();
    for (const Item& item : region.items) {
        if (is_over(streams)) break;
        frame.first_value_of.push_back(frame.values.size());
        if (item.kind == Item::Kind::node) {
            play_node(item, id, streams, ports, frame, parts);
        } else {
            play_repeat(item, program, streams, ports, frame, parts);
        }
    }
    for (std::size_t k = 0; k < outputs.size() && !is_over(streams); ++k) {
        outputs[k] = value_of(region.outputs[k], ports, frame.first_value_of, frame.values);
    }
    --depth_;
}

void RegionPlayer::play_node(const Item& item, RegionId region, std::span<Arrival> streams,
                             std::span<const Arrival> ports, Frame& frame, Parts& parts) {
    ++node_visits_;
    const Facts& facts = facts_[item.work.index()];
    const NodeTime& time = facts.time;
    const double hold = hold_of(time, item.stream);
    Arrival& stream = streams[item.stream.index()];
    Arrival& compute = streams[graph::compute_stream.index()];

    const Arrival* last = &stream;
    for (const ValueRef input : item.inputs) {
        const Arrival& value = value_of(input, ports, frame.first_value_of, frame.values);
        if (value.time > last->time) last = &value;
    }
    if (hold > 0 && compute.time > last->time) last = &compute;
    const double start = last->time;
    if (item.stream == graph::compute_stream) {
        if (start > stream.time) charge_wait(stream.time, *last, parts, waits_);
        if (facts.op_class != no_kernel) {
            parts.compute[facts.op_class] += time.duration;
        } else {
            parts.charge(facts.cause, time.duration);
        }
        // The compute stream is busy while its own nodes run, so that none of its waits is charged to what
        // these waited for: no chain is needed.
        frame.values.push_back(Arrival{start + time.visible, {}});
        stream = Arrival{start + time.duration, {}};
    } else {
        if (hold > 0 && start > compute.time) charge_wait(compute.time, *last, parts, waits_);
        const Arrival done = Arrival::after(*last, start + time.duration, facts.cause);
        frame.values.push_back(done);
        frame.values.back().time = start + time.visible;
        stream = done;
        if (hold > 0) {
            parts.charge(facts.cause, hold);
            compute = Arrival{start + hold, {}};
        }
    }
    if (observer_ != nullptr) observer_->on_node(item, region, start, start + time.duration, start + hold);
    const double lost = lost_of(time, item.stream);
    if (lost == 0) return;
    const double until = compute.time + lost;
    if (observer_ != nullptr) observer_->on_loss(item, region, compute.time, until);
    parts.charge(facts.cause, lost);
    compute = Arrival{until, {}};
}

void RegionPlayer::play_repeat(const Item& item, std::uint32_t program, std::span<Arrival> streams,
                               std::span<const Arrival> ports, Frame& frame, Parts& parts) {
    std::int64_t left = graph_->programs[program].counts[item.count.index()];
    frame.ports.clear();
    for (const ValueRef input : item.inputs) {
        frame.ports.push_back(value_of(input, ports, frame.first_value_of, frame.values));
    }
    frame.outputs.resize(frame.ports.size());
    frame.steps.clear();
    std::size_t left_to_stop = longest_cycle;  // cycles are found only without a time to stop at
    while (left > 0) {
        const std::uint64_t behaviour = play(item.body, program, streams, frame.ports, frame.outputs, parts);
        if (is_over(streams)) return;
        frame.ports.swap(frame.outputs);
        --left;
        if (--left_to_stop == 0) stop_at_ = never;
        if (behaviour == RegionMemo::none || left == 0) continue;
        frame.steps.push_back({behaviour, streams[graph::compute_stream.index()].time, parts});
        left = skip_cycles(item, program, left, streams, frame, parts);
        if (frame.steps.size() == longest_cycle) frame.steps.clear();
    }
    frame.values.insert(frame.values.end(), frame.ports.begin(), frame.ports.end());
}

/// Two iterations with the same behaviour leave the same state, hence the iterations after the first one
/// repeat after the second one.
std::int64_t RegionPlayer::skip_cycles(const Item& item, std::uint32_t program, std::int64_t left,
                                       std::span<Arrival> streams, Frame& frame, Parts& parts) {
    const Step now = frame.steps.back();
    const auto same = std::find_if(frame.steps.rbegin() + 1, frame.steps.rend(),
                                   [&now](const Step& step) { return step.behaviour == now.behaviour; });
    if (same == frame.steps.rend()) return left;
    const std::int64_t cycle = same - frame.steps.rbegin();
    const std::int64_t cycles = left / cycle;
    const auto times = static_cast<double>(cycles);
    const double by = times * (now.compute_free - same->compute_free);
    parts.add(now.parts, times);
    parts.add(same->parts, -times);
    if (waits_ != nullptr)
        waits_->repeat(same->compute_free, now.compute_free, static_cast<std::size_t>(cycles));
    const std::uint64_t used = uses_.of(item.body, program).used_streams;
    for (std::size_t s = 0; s < streams.size(); ++s) {
        if ((used & bit(s)) != 0) streams[s] = shifted(streams[s], by);
    }
    for (Arrival& port : frame.ports) port = shifted(port, by);
    frame.steps.clear();
    return left - cycles * cycle;
}

}  // namespace dse::sim::fold
