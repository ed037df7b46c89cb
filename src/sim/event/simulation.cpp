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

/// Number of nodes that a rank issues before they can start: one, unless all ranks would wait for nodes that
/// have not been issued. It bounds memory and does not affect times, since every stream keeps its order.
constexpr std::size_t first_issue_window = 1;
constexpr std::size_t most_issue_window = 64;

/// Number of nodes after which a rank lets others catch up, so that messages do not pile up.
constexpr std::uint64_t issued_in_turn = 256;

/// Window if links are shared, in which case a message that is issued late cannot start in the past. About
/// the capacity of a device's launch queue.
constexpr std::size_t shared_issue_window = 1024;

std::size_t window_of(const Durations& durations) {
    // If the ends of kernels can move, nothing may start in the past because it was issued late.
    if (durations.compute_slowdown != 1.0) return std::numeric_limits<std::size_t>::max() / 2;
    if (durations.shared != nullptr) return shared_issue_window;
    return first_issue_window;
}

// Marks instead of slots: the end of a kernel, unless it has moved; the end of work concurrent with kernels.
constexpr std::uint8_t kernel_ends = 253;
constexpr std::uint8_t company_ends = 254;

/// Whether it uses processors of its device concurrently with the compute stream. Copies to and from the host
/// do not: they have engines of their own.
bool runs_beside(const Activity& activity, const graph::Work& work) {
    return activity.kind == Activity::Kind::node && activity.stream != graph::compute_stream &&
           activity.time.duration > 0 && std::holds_alternative<graph::Collective>(work);
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

/// Connects a rank's program to the messages of the simulation.
class Simulation::Mailbox final : public Boundary {
  public:
    Mailbox(Simulation& simulation, Rank& rank) : simulation_{simulation}, rank_{rank} {}

    Value receive(const Task& task, const Peer& from) override {
        if (from.kind == Peer::Kind::none) return {};
        return Value::of(simulation_.message_to(rank_.number, task), Signal::arrived);
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
      at_once_{durations.shared == nullptr && durations.compute_slowdown == 1.0},
      window_{window_of(durations)},
      histories_{asked != Asked::For::time},
      links_{asked == Asked::For::parts},
      pacer_{std::move(checkpoint)},
      slowdown_{durations.compute_slowdown, static_cast<std::size_t>(graph.mesh.ranks())},
      running_(static_cast<std::size_t>(graph.mesh.ranks())) {
    if (durations.shared != nullptr) {
        under_way_ = std::make_unique<UnderWay>(graph, durations.shared->play(graph.mesh));
    }
    ranks_.reserve(static_cast<std::size_t>(graph.mesh.ranks()));
    for (std::int64_t r = 0; r < graph.mesh.ranks(); ++r) {
        const auto stage = graph.mesh.coordinate(graph::MeshAxis::pipeline, r);
        ranks_.emplace_back(graph, r, static_cast<std::uint32_t>(stage));
    }
}

void Simulation::run() {
    most_issued_ = at_once_ ? issued_in_turn : std::numeric_limits<std::uint64_t>::max();
    for (Rank& rank : ranks_) {
        for (std::uint32_t lane = 0; lane < graph::lanes_of(graph_->schedule); ++lane)
            post_receive(rank, lane);
        issue_ahead(rank, window_);
    }
    for (;;) {
        while (step()) pacer_.step();
        // Everything waits, perhaps for a node that has not been issued yet.
        bool issued = false;
        if (at_once_) window_ = std::min(2 * window_, most_issue_window);
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
    if (!to_issue_.empty()) {
        Rank& rank = ranks_[static_cast<std::size_t>(to_issue_.back())];
        to_issue_.pop_back();
        issue_ahead(rank, window_);
        return true;
    }
    return at_once_ ? step_at_once() : step_in_order();
}

/// What became ready last comes first: its rank is in the caches.
bool Simulation::step_at_once() {
    if (!ready_.empty()) {
        const Ready ready = std::move(ready_.back());
        ready_.pop_back();
        start(ready.activity, ready.time);
        return true;
    }
    if (later_.empty()) return false;
    most_issued_ += issued_in_turn;
    std::swap(to_issue_, later_);
    return true;
}

bool Simulation::step_in_order() {
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
    const Event& event = next.event;
    if (event.slot >= kernel_ends) {
        on_mark(next.time, event);
    } else {
        deliver(event.activity, event.slot, event.sender.get(), event.signal, next.time);
    }
    return true;
}

void Simulation::issue_ahead(Rank& rank, std::size_t nodes) {
    while (!rank.exhausted && rank.unstarted.size() < nodes) {
        if (rank.issued >= most_issued_) return later_.push_back(rank.number);
        if (!issue(rank)) rank.exhausted = true;
    }
}

bool Simulation::issue(Rank& rank) {
    Mailbox mailbox{*this, rank};
    const Item* item = rank.cursor.next(mailbox);
    if (item == nullptr) return false;
    issue_node(rank, *item);
    if (lost_of(durations_->of_work[item->work.index()], item->stream) > 0) issue_loss(rank, *item);
    return true;
}

void Simulation::issue_node(Rank& rank, const Item& item) {
    ++nodes_;
    pacer_.step();
    const graph::Work& work = graph_->works[item.work.index()];

    const ActivityPtr activity = make_activity();
    activity->rank = rank.number;
    activity->work = item.work;
    activity->stream = item.stream;
    activity->time = time_of(*durations_, item.work, work, rank.number);
    if (histories_) activity->cause = Cause::of(work);
    activity->number = rank.issued++;
    rank.unstarted.add(activity->number, activity);

    const std::span<const Value> inputs = rank.cursor.inputs();
    const bool on_compute = item.stream == graph::compute_stream;
    const bool holds = !on_compute && activity->time.hold > 0;
    const auto* collective = std::get_if<graph::Collective>(&work);
    const bool meets_stage = collective != nullptr && collective->members != graph::Members::all;
    const auto compute_slot = static_cast<std::uint8_t>(inputs.size() + 1);
    if (on_compute) activity->compute_slot = 0;
    if (holds) activity->compute_slot = compute_slot;
    if (collective != nullptr) meetings_.join(activity, *collective);

    ActivityPtr& stream = rank.last_on[item.stream.index()];
    ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    activity->missing = 1 + (holds ? 1 : 0);
    for (const Value& input : inputs) activity->missing += input.exists ? 1 : 0;
    if (meets_stage) activity->missing += static_cast<std::uint32_t>(rank.last_on.size() - 1);
    wait_for(activity, 0, Value::of(stream, on_compute ? Signal::compute : Signal::stream));
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        if (inputs[k].exists) wait_for(activity, static_cast<std::uint8_t>(k + 1), inputs[k]);
    }
    if (holds) {
        wait_for(activity, compute_slot, Value::of(compute, Signal::compute));
        compute = activity;
    }
    if (meets_stage) wait_for_all_streams(rank, activity);
    stream = activity;
    if (!ready_.empty() && ready_.back().activity == activity) step_at_once();
    const bool is_known_time = at_once_ && !histories_ && activity->started;
    rank.cursor.yield(is_known_time ? Value::at(time_of(*activity, Signal::value))
                                    : Value::of(activity, Signal::value));
}

/// What kernels lose beside a node is an activity of the compute stream that waits for nothing else.
void Simulation::issue_loss(Rank& rank, const Item& item) {
    const double lost = durations_->of_work[item.work.index()].lost;
    const ActivityPtr loss = make_activity();
    loss->rank = rank.number;
    loss->work = item.work;
    loss->stream = graph::compute_stream;
    loss->time = {lost, lost, 0.0};
    if (histories_) loss->cause = Cause::of(graph_->works[item.work.index()]);
    loss->number = rank.issued++;
    loss->compute_slot = 0;
    loss->missing = 1;
    rank.unstarted.add(loss->number, loss);
    ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    wait_for(loss, 0, Value::of(compute, Signal::compute));
    compute = loss;
    if (!ready_.empty() && ready_.back().activity == loss) step_at_once();
}

/// A collective between two stages waits for everything that they have issued (graph::meeting_pairs).
void Simulation::wait_for_all_streams(const Rank& rank, const ActivityPtr& activity) {
    for (std::size_t s = 0; s < rank.last_on.size(); ++s) {
        if (s == activity->stream.index()) continue;
        const Signal free = s == graph::compute_stream.index() ? Signal::compute : Signal::stream;
        wait_for(activity, static_cast<std::uint8_t>(s + 1), Value::of(rank.last_on[s], free));
    }
}

std::int64_t Simulation::rank_at(std::uint32_t stage, const Rank& like) const {
    const auto distance = static_cast<std::int64_t>(stage) - static_cast<std::int64_t>(like.stage);
    return like.number + distance * graph_->mesh.stride(graph::MeshAxis::pipeline);
}

ActivityPtr Simulation::message_to(std::int64_t receiver, const Task& task) {
    auto& messages = ranks_[static_cast<std::size_t>(receiver)].messages;
    const std::tuple key{task.pass, task.chunk, task.microbatch};
    Message& message = messages[key];
    if (!message.transfer) {
        message.transfer = make_activity();
        message.transfer->kind = Activity::Kind::transfer;
        message.transfer->receiver = receiver;
        message.transfer->lane = static_cast<std::uint8_t>(graph::lane_of(task, graph_->schedule));
        message.transfer->cause = Cause::message();
        message.transfer->missing = graph_->message_stream ? 2 : 3;
    }
    ActivityPtr transfer = message.transfer;
    // With a message stream, receivers have no queues.
    if (++message.known_to == (graph_->message_stream ? 2 : 3)) messages.erase(key);
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
    if (value.exists) {
        wait_for(transfer, value_slot, value);
    } else {
        --transfer->missing;
    }
    wait_for(transfer, send_slot, Value::of(before, Signal::stream));
}

void Simulation::issue_release(Rank& rank, const ActivityPtr& transfer, double hold) {
    const ActivityPtr release = make_activity();
    release->kind = Activity::Kind::release;
    release->rank = rank.number;
    release->cause = Cause::message();
    release->time.hold = hold;
    release->missing = 2;
    release->compute_slot = 0;
    release->number = rank.issued++;
    if (under_way_) {
        if (!transfer->on_network) transfer->on_network = std::make_unique<OnNetwork>();
        transfer->on_network->release = release;
        release->open = true;
        release->on_network = std::make_unique<OnNetwork>();
        release->on_network->hold_share = 1.0;
    }
    rank.unstarted.add(release->number, release);
    ActivityPtr& compute = rank.last_on[graph::compute_stream.index()];
    wait_for(release, 0, Value::of(compute, Signal::compute));
    wait_for(release, 1, Value::of(transfer, Signal::started));
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
        wait_for(transfer, receive_slot, Value::of(on.last_received, Signal::arrived));
        on.last_received = transfer;
        return;
    }
}

void Simulation::wait_for(const ActivityPtr& who, std::uint8_t slot, const Value& what) {
    if (!what.producer) {
        arrive(who, slot, nullptr, what.signal, what.time);
    } else if (what.producer->started && is_known(*what.producer, what.signal)) {
        arrive(who, slot, what.producer, what.signal, time_of(*what.producer, what.signal));
    } else {
        what.producer->waiters.add({who, slot, what.signal});
    }
}

void Simulation::arrive(const ActivityPtr& who, std::uint8_t slot, const ActivityPtr& sender, Signal signal,
                        double time) {
    if (at_once_) {
        deliver(who, slot, sender.get(), signal, time);
    } else {
        events_.push(time, {who, sender, slot, signal, {}});
    }
}

void Simulation::notify(const ActivityPtr& activity) {
    if (activity->waiters.empty()) return;
    const Waiters waiters = std::exchange(activity->waiters, {});
    waiters.for_each([&](const Waiter& waiter) {
        wait_for(waiter.activity, waiter.slot, Value::of(activity, waiter.signal));
    });
}

void Simulation::deliver(const ActivityPtr& who, std::uint8_t slot, const Activity* sender, Signal signal,
                         double time) {
    Activity& activity = *who;
    if (slot == activity.compute_slot) activity.compute_free = time;
    const bool is_last = !activity.has_last || time > activity.last_time ||
                         (time == activity.last_time && slot < activity.last_slot);
    if (is_last) {
        activity.has_last = true;
        activity.last_time = time;
        activity.last_slot = slot;
    }
    if (activity.kind == Activity::Kind::release && slot == 1) activity.transfer_start = time;
    if (activity.history) note(activity, slot, is_last, sender, signal);
    if (--activity.missing == 0) on_ready(who);
}

void Simulation::on_ready(const ActivityPtr& activity) {
    Meeting* const meeting = activity->meeting;
    if (meeting == nullptr) {
        const bool shared =
            under_way_ && activity->kind == Activity::Kind::transfer && activity->time.duration > 0;
        if (shared) open(*activity);
        may_start(activity, activity->last_time);
        if (shared) under_way_->begin(activity);
        return;
    }
    if (!MeetingPlace::arrive(*meeting, activity->last_time)) return;
    const bool shared = under_way_ && meeting->members.size() > 1 && activity->time.duration > 0;
    if (shared) {
        meeting->start = std::max(meeting->start, under_way_->now());
        for (const ActivityPtr& member : meeting->joined) open(*member);
    }
    if (links_) share_link(*meeting);
    for (const ActivityPtr& member : meeting->joined) {
        member->meeting = nullptr;
        may_start(member, meeting->start);
    }
    if (shared) under_way_->begin(meeting->members, meeting->joined);
    meetings_.close(*meeting);
}

void Simulation::may_start(const ActivityPtr& activity, double time) {
    if (at_once_) {
        ready_.push_back({activity, time});
    } else {
        start(activity, time);
    }
}

void Simulation::open(Activity& activity) {
    activity.open = true;
    if (!activity.on_network) activity.on_network = std::make_unique<OnNetwork>();
    activity.on_network->visible_share = activity.time.visible / activity.time.duration;
    activity.on_network->hold_share = activity.time.hold / activity.time.duration;
}

void Simulation::go_on(const UnderWay::Progress& progress) {
    Activity& activity = *progress.activity;
    OnNetwork& on_network = *activity.on_network;
    const bool freed = progress.before < on_network.hold_share && is_known(activity, Signal::compute);
    if (freed && activity.compute_slot != Activity::no_slot) occupy_compute(activity);
    if (freed && on_network.release) {
        const ActivityPtr release = std::exchange(on_network.release, nullptr);
        release->time.hold = activity.time.hold;
        release->open = false;
        if (release->started) {
            account_release(*release);
            notify(release);
        }
    }
    const bool ended = progress.before < 1.0 && on_network.done == 1.0;
    if (ended && slowdown_.applies() && runs_beside(activity, graph_->works[activity.work.index()]))
        move_end(activity.rank, slowdown_.depart(activity.rank, under_way_->now()));
    notify(progress.activity);
}

void Simulation::start(const ActivityPtr& activity, double time) {
    if (activity->open && under_way_) time = std::max(time, under_way_->now());
    activity->start = time;
    if (activity->history && activity->kind != Activity::Kind::release) account(*activity);
    if (!slowdown_.applies() || !begin_moving(activity)) settle(activity);
}

ActivityPtr Simulation::make_activity() {
    ActivityPtr activity = activities_.make();
    if (histories_ && !activity->history) activity->history = std::make_unique<History>();
    return activity;
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
    if (!activity->open) events_.push(end, {activity, {}, company_ends, {}, {}});
    move_end(activity->rank, slowdown_.arrive(activity->rank, activity->start));
}

void Simulation::move_end(std::int64_t rank, const std::optional<Slowdown::Finish>& finish) {
    const ActivityPtr& kernel = running_[static_cast<std::size_t>(rank)];
    if (finish) events_.push(finish->time, {kernel, {}, kernel_ends, {}, *finish});
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
    if (to_issue_.empty() || to_issue_.back() != activity->rank) to_issue_.push_back(activity->rank);
}

}  // namespace dse::sim::event
