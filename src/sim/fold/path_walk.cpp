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

/// A message on its way, as far as it is known who waits for it.
struct PathWalk::Arriving {
    std::uint32_t stage{0};  ///< that receives it
    Task task;               ///< likewise
    Peer sender;
    std::uint32_t lane_end{0};  ///< of the sender
    std::uint32_t slot{0};
    Message times;
};

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
    listings_.reset(play.graph, play.durations, play.table);
    reached_.clear();
    for (std::uint32_t i = 0; i < play.graph.schedule.stages; ++i) reached_.push_back(tasks(i).size() + 1);
    Exit exit{last, reached_[last], 0};
    const RegionListings::Entered entered = enter(exit.stage, exit.piece);
    const Flow stream = last_stream(entered);
    if (stream.time != end) return false;
    exit.number = stream.from.number();
    until_ = end;
    while (go_back(exit)) {
    }
    return true;
}

/// The first of the streams that are free last, the compute stream before all others.
Flow PathWalk::last_stream(const RegionListings::Entered& entered) const {
    static_assert(graph::compute_stream.index() == 0);
    Flow last;
    for (std::size_t s = 0; s < entered.listing->streams.size(); ++s) {
        const Flow& flow = entered.listing->streams[s];
        // A listing does not know when streams are free that its nodes do not use.
        const double free = flow.from.is_node() ? entered.base + flow.time : inputs_[s];
        if (free > last.time) last = {free, Origin::input(s)};
    }
    return last;
}

graph::RegionId PathWalk::region_of(std::uint32_t stage, std::size_t piece) const {
    const graph::Graph& graph = play_->graph;
    const graph::StageProgram& program = graph.programs[graph.program_of[stage]];
    if (piece == 0) return program.update;
    if (piece > tasks(stage).size()) return program.finish;
    return graph::region_of(program, tasks(stage)[piece - 1], graph.schedule);
}

RegionListings::Entered PathWalk::enter(std::uint32_t stage, std::size_t piece) {
    const graph::Graph& graph = play_->graph;
    const graph::RegionId region = region_of(stage, piece);
    inputs_.assign(graph.streams.size() + graph.regions[region.index()].ports, 0.0);
    if (piece > 0) {
        play_->log.read(play_->messages.player().program().steady(), play_->messages.jump().jumps(), stage,
                        piece - 1, inputs_);
    }
    if (meets(stage, piece))
        inputs_[graph::meeting_stream(graph).index()] = play_->messages.player().meets_at(stage);
    return listings_.enter(region, graph.program_of[stage], inputs_);
}

/// Charges what a piece does until one of its exits, and goes on to whom that waited for.
/// \return false at the start of the path
bool PathWalk::go_back(Exit& exit) {
    reached_[exit.stage] = exit.piece;
    const RegionListings::Entered entered = enter(exit.stage, exit.piece);
    const std::vector<Flow>& streams = entered.listing->streams;
    const Origin last =
        (exit.number < streams.size() ? streams[exit.number]
                                      : entered.listing->outputs[exit.number - streams.size()])
            .from;
    if (last.is_node() && !charge_chain(entered, exit, last)) return false;
    const Origin before = last.is_node() ? listings_.chain(*entered.listing, exit.number).before : last;
    const bool is_entry = before.number() == graph::compute_stream.index();
    const std::size_t input = is_entry ? entered.compute : before.number();
    if (input < streams.size()) {
        if (meets(exit.stage, exit.piece) && input == graph::meeting_stream(play_->graph).index())
            return go_to_meeting(exit);
        exit.number = input;
        return exit.piece-- > 0;
    }
    if (input > streams.size()) {
        go_to_saved(exit, input - streams.size());
        return true;
    }
    return go_to_sender(exit);
}

/// \return false where it begins with the iteration
bool PathWalk::charge_chain(const RegionListings::Entered& entered, const Exit& exit, Origin last) {
    RegionListing& listing = *entered.listing;
    const Place place{exit.stage, exit.stage};
    const RegionListing::Node* node = &listing.nodes[last.number()];
    charge(node->work, place, entered.base + node->start);
    const RegionListing::Chain& chain = listings_.chain(listing, exit.number);
    const double start = entered.base + chain.start;
    if (start > 0 && ledger_->charge_whole(chain.parts, place, start, until_)) {
        until_ = start;
        return true;
    }
    while (until_ > 0 && node->last.is_node()) {
        node = &listing.nodes[node->last.number()];
        charge(node->work, place, entered.base + node->start);
    }
    return until_ > 0;
}

void PathWalk::charge(graph::WorkId work, Place place, double start) {
    ledger_->charge(play_->graph.works[work.index()], place, start, until_);
    until_ = start;
}

/// Whether a piece is a finish that begins when another stage is there, too (graph::meeting_pairs).
bool PathWalk::meets(std::uint32_t stage, std::size_t piece) const {
    return piece > tasks(stage).size() && play_->messages.player().meets_at(stage) > 0;
}

/// To the last arrival of the later one of two stages that meet.
bool PathWalk::go_to_meeting(Exit& exit) {
    const std::uint32_t other = play_->graph.schedule.stages - 1 - exit.stage;
    const LastArrival own = last_arrival(exit.stage);
    const LastArrival others = last_arrival(other);
    exit = others.end > own.end ? others.exit : own.exit;
    return true;
}

/// What ends last of a stage's tasks: the meeting's own stream before all others, then in their order.
PathWalk::LastArrival PathWalk::last_arrival(std::uint32_t stage) {
    const std::size_t piece = tasks(stage).size();
    inputs_.resize(play_->graph.streams.size());
    play_->log.read(play_->messages.player().program().steady(), play_->messages.jump().jumps(), stage, piece,
                    inputs_);
    std::size_t last = graph::meeting_stream(play_->graph).index();
    for (std::size_t s = 0; s < inputs_.size(); ++s) {
        if (inputs_[s] > inputs_[last]) last = s;
    }
    const double end = inputs_[last];
    const Exit exit{stage, piece, last};
    return {exit, last == graph::compute_stream.index() ? end_of_occupant(exit) : end};
}

/// When the node ends that occupied a stream last: what holds the compute stream may go on behind that.
double PathWalk::end_of_occupant(Exit exit) {
    for (;; --exit.piece) {
        const RegionListings::Entered entered = enter(exit.stage, exit.piece);
        const Origin last = entered.listing->streams[exit.number].from;
        if (last.is_node()) {
            const RegionListing::Node& node = entered.listing->nodes[last.number()];
            return entered.base + node.start + play_->durations.of_work[node.work.index()].duration;
        }
        if (exit.piece == 0) return 0.0;
    }
}

/// To the pass of the microbatch before this one, which saved the value.
void PathWalk::go_to_saved(Exit& exit, std::size_t port) {
    const std::span<const Task> all = tasks(exit.stage);
    const Task& task = all[exit.piece - 1];
    std::size_t position = exit.piece - 1;
    do {
        DSE_EXPECT(position > 0);
        --position;
    } while (all[position].chunk != task.chunk || all[position].microbatch != task.microbatch);
    exit = {exit.stage, position + 1, play_->graph.streams.size() + port};
}

/// To the task that made the boundary value, along the messages that waited for each other.
/// \return false where a message starts with the iteration
bool PathWalk::go_to_sender(Exit& exit) {
    const std::size_t boundary = play_->graph.streams.size();
    const Task& task = tasks(exit.stage)[exit.piece - 1];
    const Peer source = graph::source_of(task, exit.stage, play_->graph.schedule);
    if (!is_received(source)) {
        exit = {exit.stage, position_of(exit.stage, source.task) + 1, boundary};
        return true;
    }
    Arriving message = arriving(exit.stage, exit.piece - 1);
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
    charge(graph::message_of(play_->graph, message.task.pass, message.stage),
           {message.stage, message.sender.stage}, message.times.start);
}

PathWalk::Arriving PathWalk::arriving(std::uint32_t stage, std::size_t position) const {
    const graph::PipelineSchedule& schedule = play_->graph.schedule;
    Arriving message;
    message.stage = stage;
    message.task = tasks(stage)[position];
    message.sender = graph::source_of(message.task, stage, schedule);
    message.lane_end =
        graph::lane_end(message.sender.stage, graph::lane_of(message.sender.task, schedule), schedule);
    message.slot = play_->messages.player().program().incoming(stage, position);
    message.times = play_->messages.at(message.lane_end, message.slot);
    return message;
}

/// Where a message waited for the one before it, charges that one, and goes on to it.
bool PathWalk::find_sent_before(Arriving& message) {
    const graph::PipelineSchedule& schedule = play_->graph.schedule;
    if (message.slot == play_->messages.player().program().first_slot(message.lane_end)) return false;
    const Message before = play_->messages.at(message.lane_end, message.slot - 1);
    if (before.end != message.times.start) return false;
    const std::uint32_t stage = message.sender.stage;
    std::size_t position = position_of(stage, message.sender.task);
    Peer to;
    do {
        DSE_EXPECT(position > 0);
        to = graph::destination_of(tasks(stage)[--position], stage, schedule);
    } while (!is_received(to) || graph::lane_end(stage, graph::lane_of(tasks(stage)[position], schedule),
                                                 schedule) != message.lane_end);
    const Task& sent = tasks(stage)[position];
    charge(graph::message_of(play_->graph, sent.pass, stage), {stage, to.stage}, before.start);
    message = {to.stage,         to.task,          {Peer::Kind::stage, stage, sent},
               message.lane_end, message.slot - 1, before};
    return true;
}

/// The same where it waited for its receiver to have taken the one before on that lane.
bool PathWalk::find_received_before(Arriving& message) {
    const graph::PipelineSchedule& schedule = play_->graph.schedule;
    const std::span<const Task> all = tasks(message.stage);
    for (std::size_t position = position_of(message.stage, message.task); position-- > 0;) {
        if (graph::lane_of(all[position], schedule) != graph::lane_of(message.task, schedule)) continue;
        if (!is_received(graph::source_of(all[position], message.stage, schedule))) continue;
        const Arriving before = arriving(message.stage, position);
        if (before.times.end != message.times.start) return false;
        charge_received(before);
        message = before;
        return true;
    }
    return false;
}

/// Looked for back from where the path was last in that stage.
std::size_t PathWalk::position_of(std::uint32_t stage, const Task& task) const {
    const std::span<const Task> all = tasks(stage);
    const std::size_t reached = std::min(reached_[stage], all.size());
    for (std::size_t position = reached; position-- > 0;) {
        if (all[position] == task) return position;
    }
    const auto found = std::find(all.begin() + static_cast<std::ptrdiff_t>(reached), all.end(), task);
    DSE_ENSURE(found != all.end());
    return static_cast<std::size_t>(found - all.begin());
}

}  // namespace dse::sim::fold
