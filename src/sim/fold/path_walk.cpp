#include "dse/sim/fold/path_walk.hpp"

#include <algorithm>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

using graph::Peer;
using graph::Task;

namespace {

bool is_received(const Peer& source) {
    return source.kind == Peer::Kind::stage;
}

}  // namespace

bool PathWalk::can_follow(const graph::Graph& graph, const Durations& durations) {
    if (graph.message_stream || graph::overlaps_tasks(graph.schedule)) return false;
    const auto holds = [](const TransferTime& time) { return time.hold > 0; };
    return graph.schedule.stages == 1 ||
           (std::none_of(durations.forward.begin(), durations.forward.end(), holds) &&
            std::none_of(durations.backward.begin(), durations.backward.end(), holds));
}

bool PathWalk::run(const LoggedPlay& play, std::uint32_t last, double end, PathLedger& ledger) {
    play_ = &play;
    ledger_ = &ledger;
    reached_.clear();
    for (std::uint32_t i = 0; i < play.graph().schedule.stages; ++i)
        reached_.push_back(play_->tasks(i).size() + 1);
    Exit exit{last, reached_[last], play.last_stream(last)};
    if (play.record().stream_free(last, exit.number) != end) return false;
    until_ = end;
    while (go_back(exit)) {
    }
    return true;
}

/// Charges what a piece does until one of its exits, and goes on to whom that waited for.
/// \return false at the start of the path
bool PathWalk::go_back(Exit& exit) {
    reached_[exit.stage] = exit.piece;
    const RegionPath& path = play_->path_to(exit, inputs_);
    charge_path(path, play_->region_of(exit.stage, exit.piece), {exit.stage, exit.stage});
    if (until_ == 0) return false;
    const std::size_t streams = play_->graph().streams.size();
    if (path.input < streams) {
        if (play_->meets(exit.stage, exit.piece) &&
            path.input == graph::meeting_stream(play_->graph()).index())
            return go_to_meeting(exit);
        exit.number = path.input;
        return exit.piece-- > 0;
    }
    if (path.input > streams) {
        exit = play_->saved_by(exit.stage, exit.piece, path.input - streams);
        return true;
    }
    return go_to_sender(exit);
}

/// Charges a path through a region that ends at until_, as a whole if possible.
void PathWalk::charge_path(const RegionPath& path, graph::RegionId region, Place place) {
    if (path.sections.empty()) return;
    const double start = until_ - path.length;
    if (ledger_->charge_whole(path.parts, place, start, until_)) {
        until_ = start;
        return;
    }
    for (const RegionPath::Section& section : path.sections) {
        const graph::Item& item = play_->graph().regions[region.index()].items[section.item];
        if (section.body == RegionPath::no_body) {
            charge(item.work, place, until_ - section.length);
            continue;
        }
        for (std::uint32_t run = 0; run < section.times; ++run)
            charge_path(play_->paths().at(section.body), item.body, place);
    }
}

void PathWalk::charge(graph::WorkId work, Place place, double start) {
    ledger_->charge(play_->graph().works[work.index()], place, start, until_);
    until_ = start;
}

/// To the last arrival of the later one of two stages that meet.
bool PathWalk::go_to_meeting(Exit& exit) {
    const std::uint32_t other = play_->graph().schedule.stages - 1 - exit.stage;
    const LastArrival own = last_arrival(exit.stage);
    const LastArrival others = last_arrival(other);
    exit = others.end > own.end ? others.exit : own.exit;
    return true;
}

/// What ends last of a stage's tasks: the meeting's own stream before all others, then in their order.
PathWalk::LastArrival PathWalk::last_arrival(std::uint32_t stage) {
    const std::size_t piece = play_->tasks(stage).size();
    play_->read_streams_at_end(stage, inputs_);
    std::size_t last = graph::meeting_stream(play_->graph()).index();
    for (std::size_t s = 0; s < inputs_.size(); ++s) {
        if (inputs_[s] > inputs_[last]) last = s;
    }
    const double end = inputs_[last];
    const Exit exit{stage, piece, last};
    return {exit, last == graph::compute_stream.index() ? end_of_occupant(exit, end) : end};
}

/// When the node ends that occupied a stream last: what holds the compute stream may go on behind that.
/// \param free  when the stream is free
double PathWalk::end_of_occupant(Exit exit, double free) {
    for (;; --exit.piece) {
        const RegionPath& path = play_->path_to(exit, inputs_);
        if (!path.sections.empty()) return free + path.behind;
        if (exit.piece == 0) return 0.0;
    }
}

/// To the task that made the boundary value, along the messages that waited for each other.
/// \return false where a message starts with the iteration
bool PathWalk::go_to_sender(Exit& exit) {
    const std::size_t boundary = play_->graph().streams.size();
    const Task& task = play_->tasks(exit.stage)[exit.piece - 1];
    const Peer source = graph::source_of(task, exit.stage, play_->graph().schedule);
    if (!is_received(source)) {
        exit = {exit.stage, position_of(exit.stage, source.task) + 1, boundary};
        return true;
    }
    Arriving message = play_->arriving(exit.stage, exit.piece - 1);
    charge_received(message);
    while (until_ > 0) {
        if (message.times.ready == message.times.start) {
            exit = {message.sender.stage, position_of(message.sender.stage, message.sender.task) + 1,
                    boundary};
            return true;
        }
        if (!find_sent_before(message) && !find_received_before(message)) return false;
    }
    return false;
}

void PathWalk::charge_received(const Arriving& message) {
    charge(graph::message_of(play_->graph(), message.task.pass, message.stage),
           {message.stage, message.sender.stage}, message.times.start);
}

/// Where a message waited for the one before it, charges that one, and goes on to it.
bool PathWalk::find_sent_before(Arriving& message) {
    const graph::PipelineSchedule& schedule = play_->graph().schedule;
    if (message.slot == play_->record().program().first_slot(message.lane_end)) return false;
    const Message before = play_->record().message(message.lane_end, message.slot - 1);
    if (before.end != message.times.start) return false;
    const std::uint32_t stage = message.sender.stage;
    const std::size_t position =
        play_->sent_before(stage, position_of(stage, message.sender.task), message.lane_end);
    const Task& sent = play_->tasks(stage)[position];
    const Peer to = graph::destination_of(sent, stage, schedule);
    charge(graph::message_of(play_->graph(), sent.pass, stage), {stage, to.stage}, before.start);
    message = {to.stage,         to.task,          {Peer::Kind::stage, stage, sent},
               message.lane_end, message.slot - 1, before};
    return true;
}

/// The same where it waited for its receiver to have taken the one before on that lane.
bool PathWalk::find_received_before(Arriving& message) {
    const graph::PipelineSchedule& schedule = play_->graph().schedule;
    const std::span<const Task> all = play_->tasks(message.stage);
    for (std::size_t position = position_of(message.stage, message.task); position-- > 0;) {
        if (graph::lane_of(all[position], schedule) != graph::lane_of(message.task, schedule)) continue;
        if (!is_received(graph::source_of(all[position], message.stage, schedule))) continue;
        const Arriving before = play_->arriving(message.stage, position);
        if (before.times.end != message.times.start) return false;
        charge_received(before);
        message = before;
        return true;
    }
    return false;
}

/// Looked for back from where the path was last in that stage.
std::size_t PathWalk::position_of(std::uint32_t stage, const Task& task) const {
    return play_->position_of(stage, task, reached_[stage]);
}

}  // namespace dse::sim::fold
