#include "sim/event/simulation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "dse/base/error.hpp"

namespace dse::sim::event {

using graph::Item;
using graph::Peer;
using graph::Task;

namespace {

/// Number of nodes that a rank issues before they can start. It bounds memory and does not affect times,
/// since every stream keeps its order. What all ranks have issued should stay in the caches.
constexpr std::size_t issue_window = 64;
constexpr std::size_t least_issue_window = 4;
constexpr std::size_t issued_by_all = 2048;

/// Same if links are shared, in which case a message that is issued late cannot start in the past. About the
/// capacity of a device's launch queue.
constexpr std::size_t shared_issue_window = 1024;

std::size_t window_of(const Durations& durations, std::size_t ranks) {
    // If the ends of kernels can move, nothing may start in the past because it was issued late.
    if (durations.compute_slowdown != 1.0) return std::numeric_limits<std::size_t>::max() / 2;
    if (durations.shared != nullptr) return shared_issue_window;
    return std::clamp(issued_by_all / ranks, least_issue_window, issue_window);
}

// Slots of a transfer, in the order that decides ties.
constexpr std::uint8_t value_slot = 0;
constexpr std::uint8_t send_slot = 1;
constexpr std::uint8_t receive_slot = 2;

// Marks instead of slots: the end of a kernel, unless it has moved; the end of work concurrent with kernels.
constexpr std::uint8_t kernel_ends = 253;
constexpr std::uint8_t company_ends = 254;

/// Whether it uses processors and memory of its device concurrently with the compute stream.
bool runs_beside(const Activity& activity, const graph::Work& work) {
    return activity.kind == Activity::Kind::node && activity.stream != graph::compute_stream &&
           activity.time.duration > 0 &&
           (std::holds_alternative<graph::Collective>(work) || std::holds_alternative<graph::Copy>(work));
}

Culprits all(Cause cause) {
    const Culprit culprit{0, cause};
    return {culprit, culprit, culprit};
}

Culprits after(Culprit first, const Culprits& rest) {
    return {first, rest[0], rest[1]};
}

const TransferTime& time_of(const Durations& durations, const Task& task, std::uint32_t lane_end) {
    return (task.pass == graph::Pass::forward ? durations.forward : durations.backward)[lane_end];
}

NodeTime time_of(const Durations& durations, graph::WorkId id, const graph::Work& work, std::int64_t rank) {
    const std::uint16_t table =
        durations.kernel_table_of.empty() ? 0 : durations.kernel_table_of[static_cast<std::size_t>(rank)];
    if (table == 0 || !std::holds_alternative<graph::Compute>(work)) return durations.of_work[id.index()];
    const double duration = durations.kernel_tables[table - 1U][id.index()];
    return {duration, duration, 0.0};
}

}  // namespace

void MemoryCount::allocate(const graph::Buffer& buffer) {
    if (buffer.kind == graph::host_memory) {
        host += buffer.size.value();
        host_peak = std::max(host_peak, host);
        return;
    }
    level += buffer.size.value();
    levels[static_cast<std::size_t>(buffer.kind)] += buffer.size.value();
}

void MemoryCount::free(const graph::Buffer& buffer) {
    if (buffer.kind == graph::host_memory) {
        host -= buffer.size.value();
        return;
    }
    level -= buffer.size.value();
    levels[static_cast<std::size_t>(buffer.kind)] -= buffer.size.value();
}

void MemoryCount::issue(const Item& node, const graph::Graph& graph) {
    for (const graph::BufferId id : node.allocates) allocate(graph.buffers[id.index()]);
    if (level > peak) {
        peak = level;
        at_peak = levels;
    }
    for (const graph::BufferId id : node.frees) free(graph.buffers[id.index()]);
}

Rank::Rank(const graph::Graph& graph, std::int64_t number_of_it, std::uint32_t stage_of_it)
    : number{number_of_it}, stage{stage_of_it}, cursor{graph, stage_of_it}, last_on(graph.streams.size()) {
    const graph::StageProgram& program = graph.programs[graph.program_of[stage]];
    for (const graph::BufferId id : program.resident) memory.allocate(graph.buffers[id.index()]);
    memory.peak = memory.level;
    memory.at_peak = memory.levels;
}

/// Connects a rank's program to the messages of the simulation.
class Simulation::Mailbox final : public Boundary {
  public:
    Mailbox(Simulation& simulation, Rank& rank) : simulation_{simulation}, rank_{rank} {}

    Value receive(const Task& task, const Peer& from) override {
        if (from.kind == Peer::Kind::none) return {};
        return {simulation_.message_to(rank_.number, task), Signal::arrived};
    }

    void send(const Task& task, const Peer& to, const Value& value) override {
        if (to.kind == Peer::Kind::stage) simulation_.send(rank_, task, to, value);
    }

  private:
    Simulation& simulation_;
    Rank& rank_;
};

Simulation::Simulation(const graph::Graph& graph, const Durations& durations, Asked::For asked,
                       std::function<void()> checkpoint)
    : graph_{&graph},
      durations_{&durations},
      meetings_{graph},
      window_{window_of(durations, static_cast<std::size_t>(graph.mesh.ranks()))},
      links_{asked == Asked::For::parts},
      pacer_{std::move(checkpoint)},
      slowdown_{durations.compute_slowdown, static_cast<std::size_t>(graph.mesh.ranks())},
      running_(static_cast<std::size_t>(graph.mesh.ranks())) {
    if (durations.shared != nullptr) {
        under_way_ = std::make_unique<UnderWay>(graph, durations.shared->play(graph.mesh));
    }
    for (std::int64_t r = 0; r < graph.mesh.ranks(); ++r) {
        const auto stage = graph.mesh.coordinate(graph::MeshAxis::pipeline, r);
        ranks_.emplace_back(graph, r, static_cast<std::uint32_t>(stage));
    }
}

void Simulation::run() {
    for (Rank& rank : ranks_) {
        for (std::uint32_t lane = 0; lane < graph::lanes_of(graph_->schedule); ++lane)
            post_receive(rank, lane);
        issue_ahead(rank, window_);
    }
    for (;;) {
        while (step()) {
            pacer_.step();
            while (!to_issue_.empty()) {
                Rank& rank = ranks_[static_cast<std::size_t>(to_issue_.back())];
                to_issue_.pop_back();
                issue_ahead(rank, window_);
            }
        }
        // Everything waits, perhaps for a node that has not been issued yet.
        bool issued = false;
        for (Rank& rank : ranks_) {
            issued = issued || !rank.exhausted;
            issue_ahead(rank, rank.unstarted.size() + window_);
        }
        if (!issued) break;
    }
    const std::string waiting = stuck();
    if (!waiting.empty()) throw ModelError("deadlock:" + waiting);
}

bool Simulation::step() {
    if (under_way_) {
        // All events at one instant come before the network, which is then solved once for all of them.
        constexpr double never = std::numeric_limits<double>::infinity();
        const double event = events_.empty() ? never : events_.next_time();
        if (event > under_way_->now()) {
            const double next = under_way_->next_time();
            if (next <= event && next < never) {
                for (const UnderWay::Progress& progress : under_way_->advance(next)) go_on(progress);
                return true;
            }
            if (event < never) under_way_->advance(event);
        }
    }
    if (events_.empty()) return false;
    const auto next = events_.pop();
    deliver(next.time, next.event);
    return true;
}

void Simulation::issue_ahead(Rank& rank, std::size_t nodes) {
    while (!rank.exhausted && rank.unstarted.size() < nodes) {
        if (!issue(rank)) rank.exhausted = true;
    }
}

bool Simulation::issue(Rank& rank) {
    Mailbox mailbox{*this, rank};
    const Item* item = rank.cursor.next(mailbox);
    if (item == nullptr) return false;
    issue_node(rank, *item);
    return true;
}

void Simulation::issue_node(Rank& rank, const Item& item) {
    ++nodes_;
    pacer_.step();
    const graph::Work& work = graph_->works[item.work.index()];

    const auto activity = std::make_shared<Activity>();
    activity->rank = rank.number;
    activity->work = item.work;
    activity->stream = item.stream;
    activity->time = time_of(*durations_, item.work, work, rank.number);
    activity->cause = Cause::of(work);
    activity->number = rank.issued++;
    rank.unstarted.add(activity->number, activity);

    const std::span<const Value> inputs = rank.cursor.inputs();
    const bool on_compute = item.stream == graph::compute_stream;
    const bool holds = !on_compute && activity->time.hold > 0;
    const auto* collective = std::get_if<graph::Collective>(&work);
    const auto compute_slot = static_cast<std::uint8_t>(inputs.size() + 1);
    if (on_compute) activity->compute_slot = 0;
    if (holds) activity->compute_slot = compute_slot;
    if (collective != nullptr) meetings_.join(activity, *collective);

    ActivityPtr& stream = rank.last_on[item.stream.index()];
    ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    activity->missing = 1 + (holds ? 1 : 0);
    for (const Value& input : inputs) activity->missing += input.producer ? 1 : 0;
    wait_for(activity, 0, {stream, on_compute ? Signal::compute : Signal::stream});
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (inputs[k].producer) wait_for(activity, static_cast<std::uint8_t>(k + 1), inputs[k]);
    }
    if (holds) {
        wait_for(activity, compute_slot, {compute, Signal::compute});
        compute = activity;
    }
    if (collective != nullptr && collective->members != graph::Members::all)
        wait_for_all_streams(rank, activity);
    stream = activity;
    rank.cursor.yield({activity, Signal::value});
}

/// A collective between two stages waits for everything that they have issued (graph::meeting_pairs).
void Simulation::wait_for_all_streams(const Rank& rank, const ActivityPtr& activity) {
    for (std::size_t s = 0; s < rank.last_on.size(); ++s) {
        if (s == activity->stream.index()) continue;
        ++activity->missing;
        const Signal free = s == graph::compute_stream.index() ? Signal::compute : Signal::stream;
        wait_for(activity, static_cast<std::uint8_t>(s + 1), {rank.last_on[s], free});
    }
}

std::int64_t Simulation::rank_at(std::uint32_t stage, const Rank& like) const {
    const auto distance = static_cast<std::int64_t>(stage) - static_cast<std::int64_t>(like.stage);
    return like.number + distance * graph_->mesh.stride(graph::MeshAxis::pipeline);
}

ActivityPtr Simulation::message_to(std::int64_t receiver, const Task& task) {
    const std::tuple key{receiver, task.pass, task.chunk, task.microbatch};
    Message& message = messages_[key];
    if (!message.transfer) {
        message.transfer = std::make_shared<Activity>();
        message.transfer->kind = Activity::Kind::transfer;
        message.transfer->receiver = receiver;
        message.transfer->lane = graph::lane_of(task, graph_->schedule);
        message.transfer->cause = Cause::message();
        message.transfer->missing = graph_->message_stream ? 2 : 3;
    }
    ActivityPtr transfer = message.transfer;
    // With a message stream, receivers have no queues.
    if (++message.known_to == (graph_->message_stream ? 2 : 3)) messages_.erase(key);
    return transfer;
}

void Simulation::send(Rank& rank, const Task& task, const Peer& to, const Value& value) {
    const std::uint32_t lane = graph::lane_of(task, graph_->schedule);
    const TransferTime& time =
        time_of(*durations_, task, graph::lane_end(rank.stage, lane, graph_->schedule));
    const ActivityPtr transfer = message_to(rank_at(to.stage, rank), to.task);
    transfer->rank = rank.number;
    transfer->work = graph::message_of(*graph_, task.pass, rank.stage);
    transfer->time = {time.duration, time.duration, time.hold};
    ActivityPtr& queue =
        graph_->message_stream ? rank.last_on[graph_->message_stream->index()] : rank.lanes[lane].last_sent;
    const ActivityPtr before = std::exchange(queue, transfer);
    if (time.hold > 0) issue_release(rank, transfer, time.hold);
    if (value.producer) {
        wait_for(transfer, value_slot, value);
    } else {
        --transfer->missing;
    }
    wait_for(transfer, send_slot, {before, Signal::stream});
}

void Simulation::issue_release(Rank& rank, const ActivityPtr& transfer, double hold) {
    const auto release = std::make_shared<Activity>();
    release->kind = Activity::Kind::release;
    release->rank = rank.number;
    release->cause = Cause::message();
    release->time.hold = hold;
    release->missing = 2;
    release->compute_slot = 0;
    release->number = rank.issued++;
    if (under_way_) {
        transfer->release = release;
        release->open = true;
        release->hold_share = 1.0;
    }
    rank.unstarted.add(release->number, release);
    ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    wait_for(release, 0, {compute, Signal::compute});
    wait_for(release, 1, {transfer, Signal::started});
    compute = release;
}

void Simulation::post_receive(Rank& rank, std::uint32_t lane) {
    if (graph_->message_stream) return;
    const graph::PipelineSchedule& schedule = graph_->schedule;
    const std::vector<Task>& tasks = schedule.tasks[rank.stage];
    Rank::Lane& on = rank.lanes[lane];
    for (; on.next_receive < tasks.size(); ++on.next_receive) {
        const Task& task = tasks[on.next_receive];
        if (graph::lane_of(task, schedule) != lane) continue;
        if (graph::source_of(task, rank.stage, schedule).kind != Peer::Kind::stage) continue;
        ++on.next_receive;
        const ActivityPtr transfer = message_to(rank.number, task);
        wait_for(transfer, receive_slot, {on.last_received, Signal::arrived});
        on.last_received = transfer;
        return;
    }
}

void Simulation::wait_for(const ActivityPtr& who, std::uint8_t slot, const Value& what) {
    if (!what.producer) {
        events_.push(0.0, {who, slot, all(Cause::idle()), {}});
    } else if (what.producer->started && is_known(*what.producer, what.signal)) {
        SignalTime signal = signal_of(*what.producer, what.signal);
        events_.push(signal.time, {who, slot, signal.culprits, std::move(signal.link)});
    } else {
        what.producer->waiters.push_back({who, slot, what.signal});
    }
}

void Simulation::notify(const ActivityPtr& activity) {
    for (const Waiter& waiter : std::exchange(activity->waiters, {})) {
        wait_for(waiter.activity, waiter.slot, {activity, waiter.signal});
    }
}

void Simulation::deliver(double time, const Event& event) {
    if (event.slot >= kernel_ends) return on_mark(time, event);
    Activity& activity = *event.activity;
    if (event.slot == activity.compute_slot) activity.compute_free = time;
    const bool is_last = !activity.has_last || time > activity.last_time ||
                         (time == activity.last_time && event.slot < activity.last_slot);
    if (is_last) {
        activity.has_last = true;
        activity.last_time = time;
        activity.last_slot = event.slot;
        activity.last_culprits = event.culprits;
        if (activity.kind != Activity::Kind::release) activity.last_link = event.link;
    }
    if (activity.kind == Activity::Kind::release)
        (event.slot == 1 ? activity.link : activity.last_link) = event.link;
    if (activity.kind == Activity::Kind::release && event.slot == 1) {
        activity.transfer_start = time;
        activity.waited_for = event.culprits;
    }
    if (--activity.missing == 0) on_ready(event.activity);
}

void Simulation::on_ready(const ActivityPtr& activity) {
    Meeting* const meeting = activity->meeting;
    if (meeting == nullptr) {
        const bool shared =
            under_way_ && activity->kind == Activity::Kind::transfer && activity->time.duration > 0;
        if (shared) open(*activity);
        start(activity, activity->last_time);
        if (shared) under_way_->begin(activity);
        return;
    }
    if (!MeetingPlace::arrive(*meeting, activity->last_time)) return;
    const bool shared = under_way_ && meeting->members.size() > 1 && activity->time.duration > 0;
    if (shared) {
        meeting->start = std::max(meeting->start, under_way_->now());
        for (const ActivityPtr& member : meeting->joined) open(*member);
    }
    const ActivityPtr latest = MeetingPlace::latest(*meeting);
    const PathLinkPtr last_link = latest->last_link;
    for (const ActivityPtr& member : meeting->joined) {
        if (member->last_time < latest->last_time) member->last_link = last_link;
        start(member, meeting->start);
        member->meeting = nullptr;
    }
    if (shared) under_way_->begin(meeting->members, meeting->joined);
    meetings_.close(*meeting);
}

void Simulation::open(Activity& activity) {
    activity.open = true;
    activity.visible_share = activity.time.visible / activity.time.duration;
    activity.hold_share = activity.time.hold / activity.time.duration;
}

void Simulation::go_on(const UnderWay::Progress& progress) {
    Activity& activity = *progress.activity;
    const bool freed = progress.before < activity.hold_share && is_known(activity, Signal::compute);
    if (freed && activity.compute_slot != Activity::no_slot) occupy_compute(activity);
    if (freed && activity.release) {
        const ActivityPtr release = std::exchange(activity.release, nullptr);
        release->time.hold = activity.time.hold;
        release->open = false;
        if (release->started) {
            account_release(*release);
            notify(release);
        }
    }
    const bool ended = progress.before < 1.0 && activity.done == 1.0;
    if (ended && slowdown_.applies() && runs_beside(activity, graph_->works[activity.work.index()]))
        move_end(activity.rank, slowdown_.depart(activity.rank, under_way_->now()));
    notify(progress.activity);
}

void Simulation::start(const ActivityPtr& activity, double time) {
    if (activity->open && under_way_) time = std::max(time, under_way_->now());
    activity->start = time;
    if (activity->kind != Activity::Kind::release) {
        Culprits waited_for = activity->last_culprits;
        if (time > activity->last_time)
            waited_for = after({activity->last_time, Cause::imbalance()}, waited_for);
        if (activity->kind == Activity::Kind::transfer && activity->last_slot == receive_slot) {
            waited_for = all(Cause::bubble());
        }
        activity->waited_for = waited_for;
        activity->culprits = after({time, activity->cause}, waited_for);
        if (activity->compute_slot != Activity::no_slot) {
            Rank& rank = ranks_[static_cast<std::size_t>(activity->rank)];
            charge(activity->compute_free, time, waited_for, rank.parts, waits_of(rank));
        }
        if (links_) link(*activity);
    }
    if (!slowdown_.applies() || !begin_moving(activity)) settle(activity);
}

void Simulation::link(Activity& activity) const {
    const auto stage_of = [this](std::int64_t rank) {
        return static_cast<std::uint32_t>(graph_->mesh.coordinate(graph::MeshAxis::pipeline, rank));
    };
    const bool is_message = activity.kind == Activity::Kind::transfer;
    const Place place{stage_of(activity.rank), stage_of(is_message ? activity.receiver : activity.rank)};
    activity.link = std::make_shared<PathLink>(std::exchange(activity.last_link, nullptr), activity.start,
                                               activity.work, place);
}

/// Called if concurrent work slows kernels down. \return whether it is a kernel whose end may move
bool Simulation::begin_moving(const ActivityPtr& activity) {
    const graph::Work& work = graph_->works[activity->work.index()];
    if (runs_beside(*activity, work)) begin_beside(activity);
    const bool is_kernel = activity->kind == Activity::Kind::node &&
                           activity->stream == graph::compute_stream &&
                           std::holds_alternative<graph::Compute>(work) && activity->time.duration > 0;
    if (!is_kernel) return false;
    running_[static_cast<std::size_t>(activity->rank)] = activity;
    move_end(activity->rank, slowdown_.begin(activity->rank, activity->start, activity->time.duration));
    return true;
}

void Simulation::begin_beside(const ActivityPtr& activity) {
    const double end = activity->start + activity->time.duration;
    if (!activity->open) events_.push(end, {activity, company_ends, {}, {}, {}});
    move_end(activity->rank, slowdown_.arrive(activity->rank, activity->start));
}

void Simulation::move_end(std::int64_t rank, const std::optional<Slowdown::Finish>& finish) {
    const ActivityPtr& kernel = running_[static_cast<std::size_t>(rank)];
    if (finish) events_.push(finish->time, {kernel, kernel_ends, {}, {}, *finish});
}

void Simulation::on_mark(double time, const Event& event) {
    const std::int64_t rank = event.activity->rank;
    if (event.slot == company_ends) return move_end(rank, slowdown_.depart(rank, time));
    if (!slowdown_.end(rank, event.finish)) return;
    const ActivityPtr ended = std::exchange(running_[static_cast<std::size_t>(rank)], nullptr);
    ended->time.duration = time - ended->start;
    ended->time.visible = ended->time.duration;
    settle(ended);
}

/// Called once the times that others wait for are known, except those of what shares the network.
void Simulation::settle(const ActivityPtr& activity) {
    activity->started = true;
    if (activity->kind == Activity::Kind::release) {
        if (!activity->open) account_release(*activity);
    } else if (activity->compute_slot != Activity::no_slot && is_known(*activity, Signal::compute)) {
        occupy_compute(*activity);
    }
    notify(activity);
    if (activity->kind == Activity::Kind::transfer) {
        post_receive(ranks_[static_cast<std::size_t>(activity->receiver)], activity->lane);
        return;
    }
    ranks_[static_cast<std::size_t>(activity->rank)].unstarted.erase(activity->number);
    to_issue_.push_back(activity->rank);
}

void Simulation::occupy_compute(Activity& activity) {
    Parts& parts = ranks_[static_cast<std::size_t>(activity.rank)].parts;
    const bool on_stream = activity.stream == graph::compute_stream;
    const double busy = on_stream ? activity.time.duration : activity.time.hold;
    activity.compute_until = activity.start + busy;
    const auto* kernel = std::get_if<graph::Compute>(&graph_->works[activity.work.index()]);
    if (on_stream && kernel != nullptr) {
        parts.compute[static_cast<std::size_t>(kernel->op_class)] += busy;
    } else {
        parts.charge(activity.cause, busy);
    }
}

void Simulation::account_release(Activity& release) {
    Rank& rank = ranks_[static_cast<std::size_t>(release.rank)];
    charge(release.compute_free, release.transfer_start, release.waited_for, rank.parts, waits_of(rank));
    const double from = std::max(release.compute_free, release.transfer_start);
    const double until = release.transfer_start + release.time.hold;
    if (until > from) {
        rank.parts.charge(Cause::message(), until - from);
    } else {
        release.link = release.last_link;
    }
    release.compute_until = std::max(release.compute_free, until);
}

SignalTime Simulation::last_stream(const Rank& rank) const {
    SignalTime last{0, all(Cause::idle())};
    const auto consider = [&last](const ActivityPtr& activity, Signal signal) {
        if (!activity) return;
        const SignalTime candidate = signal_of(*activity, signal);
        if (candidate.time > last.time) last = candidate;
    };
    for (std::size_t s = 0; s < rank.last_on.size(); ++s) {
        consider(rank.last_on[s], s == graph::compute_stream.index() ? Signal::compute : Signal::stream);
    }
    for (const Rank::Lane& lane : rank.lanes) {
        consider(lane.last_sent, Signal::stream);
        consider(lane.last_received, Signal::arrived);
    }
    return last;
}

}  // namespace dse::sim::event
