#include "dse/sim/fold/stage_waits.hpp"

#include <algorithm>

namespace dse::sim::fold {

using graph::Peer;

namespace {

constexpr std::size_t compute = graph::compute_stream.index();

bool waited_for_others(const Arrival& arrival) {
    return std::any_of(arrival.chain.begin(), arrival.chain.end(),
                       [](const Link& link) { return link.cause.is_of_others(); });
}

}  // namespace

/// The chain of an arrival, from its first link on.
class StageWaits::ChainWriter {
  public:
    explicit ChainWriter(Arrival& arrival) : arrival_{arrival}, until_{arrival.time} {}

    [[nodiscard]] bool is_full() const { return links_ == arrival_.chain.size(); }

    void add(const Link& link) {
        if (is_full()) return;
        arrival_.chain[links_++] = link;
        until_ = link.start;
    }

    /// Of a message: what happens at its sender counts as bubble.
    void close_with(const Message& message) {
        const Arrival received = Arrival::of(message);
        for (const Link& link : received.chain) add(link);
    }

    /// \param region  that the path leads through
    /// \return whether the chain goes on before the path
    bool add(const RegionPath& path, graph::RegionId region, const LoggedPlay& play) {
        const graph::Graph& graph = play.graph();
        for (const RegionPath::Section& section : path.sections) {
            const graph::Item& item = graph.regions[region.index()].items[section.item];
            if (section.body != RegionPath::no_body) {
                for (std::uint32_t run = 0; run < section.times && !is_full(); ++run) {
                    if (!add(play.paths().at(section.body), item.body, play)) return false;
                }
                continue;
            }
            if (section.on_compute || is_full()) return false;
            add({until_ - section.length, Cause::of(graph.works[item.work.index()])});
        }
        return !is_full();
    }

  private:
    Arrival& arrival_;
    double until_;
    std::size_t links_{0};
};

bool StageWaits::can_find(const LoggedPlay& play, std::uint32_t stage) {
    return play.record().meets_at(stage) == 0;
}

void StageWaits::start(const LoggedPlay& play, const RegionTable& table, std::uint32_t stage, double end) {
    play_ = &play;
    table_ = &table;
    stage_ = stage;
    end_ = end;
    next_ = play.tasks(stage).size() + 3;
    has_uses_ = false;
    is_ready_ = false;
}

/// Leaves out the pieces that are entered at a time or later. Mostly they are few: goes back in growing
/// steps.
void StageWaits::leave_out_from(double time) {
    const auto is_before = [&](std::size_t piece) { return play_->compute_free(stage_, piece) < time; };
    std::size_t begin = next_;  // all before it are entered before
    for (std::size_t step = 1; begin > 0 && !is_before(begin - 1); step *= 2) {
        next_ = begin - 1;
        begin = next_ - std::min(next_, step - 1);
    }
    while (begin < next_) {
        const std::size_t middle = begin + (next_ - begin) / 2;
        if (is_before(middle)) {
            begin = middle + 1;
        } else {
            next_ = middle;
        }
    }
}

std::span<const Waits::Stretch> StageWaits::before(double end, double start) {
    leave_out_from(end);
    while (next_ > 0) {
        const std::size_t pieces = play_->tasks(stage_).size() + 2;
        const double left_at = next_ > pieces ? end_ : play_->compute_free(stage_, next_);
        if (left_at <= start) break;
        --next_;
        waits_.clear();
        find_waits(next_);
        if (!waits_.stretches().empty()) return waits_.stretches();
    }
    return {};
}

void StageWaits::find_waits(std::size_t piece) {
    if (piece > play_->tasks(stage_).size() + 1) return find_last_waits(play_->compute_free(stage_, piece));
    if (!read_arrivals(piece)) return;
    const double entry = wait_for_first_ports(piece);
    if (!may_wait_after(entry)) return;
    waits_.clear();
    play(piece);
}

/// A region that begins with a kernel that waits for ports only: waits for them. \return when it begins
double StageWaits::wait_for_first_ports(std::size_t piece) {
    if (!has_uses_) uses_.reset(play_->graph(), play_->durations(), *table_);
    has_uses_ = true;
    const EntryUse& use = uses_.of(play_->region_of(stage_, piece), play_->graph().program_of[stage_]);
    const Arrival* last = &arrivals_[compute];
    const std::size_t streams = play_->graph().streams.size();
    for (std::size_t i = 0; use.begins_with_ports && i < use.first_port_count; ++i) {
        const Arrival& port = arrivals_[streams + use.first_ports[i]];
        if (port.time > last->time) last = &port;
    }
    charge_wait(arrivals_[compute].time, *last, parts_, &waits_);
    return last->time;
}

/// Whether a piece may wait for others once it has begun.
bool StageWaits::may_wait_after(double entry) const {
    return std::any_of(arrivals_.begin(), arrivals_.end(), [entry](const Arrival& arrival) {
        return arrival.time > entry && waited_for_others(arrival);
    });
}

void StageWaits::play(std::size_t piece) {
    const graph::Graph& graph = play_->graph();
    if (!is_ready_) player_.reset(graph, play_->durations(), *table_, nullptr, &waits_);
    is_ready_ = true;
    // What others did is over when the last input that waited for them is there.
    double over = 0.0;
    for (const Arrival& arrival : arrivals_) {
        if (waited_for_others(arrival)) over = std::max(over, arrival.time);
    }
    const std::span<Arrival> inputs{arrivals_};
    const std::size_t streams = graph.streams.size();
    player_.note_waits_until(over, play_->region_of(stage_, piece), graph.program_of[stage_],
                             inputs.first(streams), inputs.subspan(streams));
}

/// Behind the finish, for the stage's last stream or message, and then for the other stages.
void StageWaits::find_last_waits(double free) {
    const std::size_t stream = play_->last_stream(stage_);
    const double last_stream = play_->record().stream_free(stage_, stream);
    Arrival last{play_->record().last_stream(stage_), {}};
    if (last.time > free) {
        ChainWriter chain{last};
        if (last.time == last_stream) {
            add_chain({stage_, play_->tasks(stage_).size() + 1, stream}, chain);
        } else {
            add_last_message(chain);
        }
        charge_wait(free, last, parts_, &waits_);
    }
    Waits::Backwards{&waits_}.add(last.time, end_);
}

/// Of a message that goes on behind all streams of its sender or receiver.
void StageWaits::add_last_message(ChainWriter& chain) {
    const graph::PipelineSchedule& schedule = play_->graph().schedule;
    const PlayRecord& record = play_->record();
    const double last = play_->record().last_stream(stage_);
    const std::size_t behind = play_->tasks(stage_).size();
    for (std::uint32_t lane = 0; lane < graph::lanes_of(schedule); ++lane) {
        const std::uint32_t end = graph::lane_end(stage_, lane, schedule);
        if (record.send_free(end) == last)
            return add_sent(end, play_->sent_before(stage_, behind, end), chain);
        if (record.receive_free(end) != last) continue;
        for (std::size_t position = behind; position-- > 0;) {
            const Peer source = graph::source_of(play_->tasks(stage_)[position], stage_, schedule);
            if (source.kind != Peer::Kind::stage) continue;
            const Message message = play_->arriving(stage_, position).times;
            if (message.end == last) return chain.close_with(message);
        }
    }
}

/// Of the last message from a lane end. \param position  of its task
void StageWaits::add_sent(std::uint32_t lane_end, std::size_t position, ChainWriter& chain) {
    const Peer to = graph::destination_of(play_->tasks(stage_)[position], stage_, play_->graph().schedule);
    const std::size_t received = play_->position_of(to.stage, to.task, play_->tasks(to.stage).size());
    for (std::uint32_t slot = play_->arriving(to.stage, received).slot; !chain.is_full(); --slot) {
        const Message message = play_->record().message(lane_end, slot);
        chain.add({message.start, Cause::message()});
        if (message.start == message.ready)
            return add_chain({stage_, position + 1, play_->graph().streams.size()}, chain);
        const bool is_first = slot == play_->record().program().first_slot(lane_end);
        if (is_first || play_->record().message(lane_end, slot - 1).end != message.start) {
            const Link receiver{0, Cause::bubble()};
            chain.add(receiver);
            chain.add(receiver);
            return;
        }
        position = play_->sent_before(stage_, position, lane_end);
    }
}

/// Sets arrivals_ to the inputs of a piece. \return whether it may wait for others
bool StageWaits::read_arrivals(std::size_t piece) {
    play_->read_inputs(stage_, piece, inputs_);
    const double entry = inputs_[compute];
    const bool is_late =
        std::any_of(inputs_.begin(), inputs_.end(), [entry](double at) { return at > entry; });
    if (!is_late) return false;
    bool waits = false;
    arrivals_.clear();
    for (std::size_t input = 0; input < inputs_.size(); ++input) {
        arrivals_.push_back({inputs_[input], {}});
        if (inputs_[input] <= entry) continue;
        arrivals_.back() = arrival_of(piece, input);
        waits = waits || waited_for_others(arrivals_.back());
    }
    return waits;
}

Arrival StageWaits::arrival_of(std::size_t piece, std::size_t input) {
    Arrival arrival{inputs_[input], {}};
    ChainWriter chain{arrival};
    const std::size_t streams = play_->graph().streams.size();
    if (input < streams) {
        if (piece > 0) add_chain({stage_, piece - 1, input}, chain);
        return arrival;
    }
    if (input > streams) {
        add_chain(play_->saved_by(stage_, piece, input - streams), chain);
        return arrival;
    }
    const Peer source = graph::source_of(play_->tasks(stage_)[piece - 1], stage_, play_->graph().schedule);
    if (source.kind == Peer::Kind::stage) return Arrival::of(play_->arriving(stage_, piece - 1).times);
    add_chain({stage_, play_->position_of(stage_, source.task, piece) + 1, streams}, chain);
    return arrival;
}

/// Adds what an exit waited for, in the way of RegionPlayer: what the compute stream does has no chain. Where
/// nothing else was waited for, none of the chain are others, and it is left out.
void StageWaits::add_chain(PieceExit exit, ChainWriter& chain) {
    const std::size_t streams = play_->graph().streams.size();
    while (exit.number != compute) {
        if (play_->waited_for_compute_only(exit, inputs_before_)) return;
        const RegionPath& path = play_->path_to(exit, inputs_before_);
        if (!chain.add(path, play_->region_of(exit.stage, exit.piece), *play_)) return;
        if (path.input < streams) {
            if (exit.piece-- == 0) return;
            exit.number = path.input;
        } else if (path.input > streams) {
            exit = play_->saved_by(stage_, exit.piece, path.input - streams);
        } else {
            const graph::Task& task = play_->tasks(stage_)[exit.piece - 1];
            const Peer source = graph::source_of(task, stage_, play_->graph().schedule);
            if (source.kind == Peer::Kind::stage)
                return chain.close_with(play_->arriving(stage_, exit.piece - 1).times);
            exit = {stage_, play_->position_of(stage_, source.task, exit.piece) + 1, streams};
        }
    }
}

}  // namespace dse::sim::fold
