#include "dse/sim/fold/schedule_player.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/sim/fold/period_jump.hpp"

namespace dse::sim::fold {

using workload::Pass;
using workload::Peer;
using workload::Task;

void SchedulePlayer::reset(const workload::Graph& graph, const Durations& durations, RegionOperators& regions,
                           const RegionTable& table) {
    graph_ = &graph;
    durations_ = &durations;
    regions_ = &regions;
    operators_.reset(graph, regions);
    const workload::PipelineSchedule& schedule = graph.schedule;
    stream_count_ = graph.streams.size();
    chunks_ = schedule.chunks;
    microbatches_ = schedule.microbatches;
    most_saved_ = table.most_values();
    stream_stride_ = padded(stream_count_ + std::max<std::size_t>(most_saved_, 1));
    task_visits_ = 0;
    most_tasks_ = 0;
    for (std::uint32_t i = 0; i < schedule.stages; ++i)
        most_tasks_ = std::max(most_tasks_, schedule.tasks[i].size());

    streams_of_.assign(schedule.stages * stream_stride_, 0.0);
    const std::size_t saved = std::size_t{schedule.stages} * chunks_ * microbatches_ * most_saved_;
    if (saved_.size() < saved) saved_.resize(saved);
    if (destinations_.size() < schedule.stages * most_tasks_)
        destinations_.resize(schedule.stages * most_tasks_);
    sends_.reset(schedule.stages, most_tasks_);
    receives_.reset(schedule.stages, most_tasks_);
    local_.assign(schedule.stages == 1 ? 2 * chunks_ * microbatches_ : 0, std::nullopt);

    runnable_.clear();
    stages_.assign(schedule.stages, StageState{});
    for (std::uint32_t i = 0; i < schedule.stages; ++i) {
        StageState& state = stages_[i];
        state.program = graph.program_of[i];
        state.tasks = static_cast<std::uint32_t>(schedule.tasks[i].size());
        state.end = state.tasks;
        state.waiting = true;
        post_next(i);
        play_region(i, graph.programs[state.program].update);
    }
}

void SchedulePlayer::play_region(std::uint32_t stage, workload::RegionId region) {
    const std::size_t columns = regions_->columns_of(region, stages_[stage].program);
    const Operator& rows = regions_->of(region, stages_[stage].program);
    DSE_EXPECT(rows.inputs == stream_count_);
    apply(regions_->pool().at(columns), rows.inputs, rows.outputs, streams(stage), streams(stage));
}

void SchedulePlayer::run() {
    for (std::uint32_t i = static_cast<std::uint32_t>(stages_.size()); i-- > 0;) wake(i);
    while (!runnable_.empty()) {
        const std::uint32_t stage = runnable_.back();
        runnable_.pop_back();
        StageState& state = stages_[stage];
        while (state.position < state.end && play_task(stage)) ++state.position;
        state.waiting = true;
    }
}

void SchedulePlayer::wake(std::uint32_t stage) {
    if (!stages_[stage].waiting) return;
    stages_[stage].waiting = false;
    runnable_.push_back(stage);
}

bool SchedulePlayer::must_wait(std::uint32_t stage, const Peer& source) {
    const StageState& state = stages_[stage];
    if (source.kind == Peer::Kind::stage && state.received == state.consumed) return true;
    if (source.kind == Peer::Kind::local && !local(source.task)) return true;
    // A transfer that holds the compute stream must have begun before the next task is known.
    for (std::uint32_t n = state.settled; n < state.sent; ++n) {
        if (time_of(stage, destinations_[stage * most_tasks_ + n].task.pass).hold > 0) return true;
    }
    return false;
}

bool SchedulePlayer::play_task(std::uint32_t stage) {
    const Task& task = graph_->schedule.tasks[stage][stages_[stage].position];
    const Peer source = workload::source_of(task, stage, graph_->schedule);
    if (must_wait(stage, source)) return false;
    ++task_visits_;

    const TaskOperator& played = operators_.of(stages_[stage].program, task);
    // Behind its streams, a stage's row has room for the boundary value and the saved ones.
    double* const state = streams(stage);
    double* const boundary = state + stream_count_;
    double* const values = saved(stage, task.chunk, task.microbatch);
    *boundary = boundary_of(stage, source);
    for (std::size_t k = stream_count_ + 1; k < played.inputs; ++k) state[k] = values[k - stream_count_ - 1];
    apply(regions_->pool().at(played.columns), played.inputs, played.outputs, state, state);
    for (std::size_t k = stream_count_ + 1; k < played.outputs; ++k) values[k - stream_count_ - 1] = state[k];
    hand_on(stage, task, *boundary);
    return true;
}

double SchedulePlayer::boundary_of(std::uint32_t stage, const Peer& source) {
    switch (source.kind) {
        case Peer::Kind::none:
            break;
        case Peer::Kind::local:
            return *local(source.task);
        case Peer::Kind::stage:
            return receives_.at(stage, stages_[stage].consumed++).end;
    }
    return absent;
}

void SchedulePlayer::hand_on(std::uint32_t stage, const Task& task, double value) {
    const Peer to = workload::destination_of(task, stage, graph_->schedule);
    if (to.kind == Peer::Kind::none) return;
    if (to.kind == Peer::Kind::local) {
        local(task) = value;
        return;
    }
    StageState& state = stages_[stage];
    destinations_[stage * most_tasks_ + state.sent] = {to.stage, to.task};
    sends_.at(stage, state.sent).ready = value;
    ++state.sent;
    settle(stage);
}

std::optional<double>& SchedulePlayer::local(const Task& task) {
    const std::size_t direction = task.pass == Pass::forward ? 0 : 1;
    return local_[(direction * chunks_ + task.chunk) * microbatches_ + task.microbatch];
}

void SchedulePlayer::settle(std::uint32_t sender) {
    to_settle_.clear();
    for (;;) {
        while (settle_first(sender)) {
        }
        if (to_settle_.empty()) return;
        sender = to_settle_.back();
        to_settle_.pop_back();
    }
}

bool SchedulePlayer::settle_first(std::uint32_t sender) {
    const StageState& state = stages_[sender];
    if (state.settled == state.sent) return false;
    const Destination& to = destinations_[sender * most_tasks_ + state.settled];
    StageState& receiver = stages_[to.stage];
    const std::vector<Task>& tasks = graph_->schedule.tasks[to.stage];
    if (receiver.posted == receiver.tasks || tasks[receiver.posted] != to.task) return false;
    transfer(sender, to);
    ++receiver.posted;
    post_next(to.stage);
    wake(to.stage);
    if (receiver.posted < receiver.tasks) {
        const std::uint32_t other =
            workload::source_of(tasks[receiver.posted], to.stage, graph_->schedule).stage;
        if (other != sender && stages_[other].settled < stages_[other].sent) to_settle_.push_back(other);
    }
    return true;
}

void SchedulePlayer::post_next(std::uint32_t stage) {
    StageState& state = stages_[stage];
    const std::vector<Task>& tasks = graph_->schedule.tasks[stage];
    while (state.posted < state.tasks &&
           workload::source_of(tasks[state.posted], stage, graph_->schedule).kind != Peer::Kind::stage) {
        ++state.posted;
    }
}

const TransferTime& SchedulePlayer::time_of(std::uint32_t sender, Pass pass) const {
    return pass == Pass::forward ? durations_->forward[sender] : durations_->backward[sender];
}

void SchedulePlayer::transfer(std::uint32_t sender, const Destination& to) {
    const TransferTime& time = time_of(sender, to.task.pass);
    StageState& from = stages_[sender];
    StageState& receiver = stages_[to.stage];
    Transfer message;
    message.ready = message.start = sends_.at(sender, from.settled).ready;
    if (from.send_free > message.start) {
        message.start = from.send_free;
        message.limit = TransferLimit::send_stream;
    }
    if (receiver.receive_free > message.start) {
        message.start = receiver.receive_free;
        message.limit = TransferLimit::receive_stream;
    }
    message.end = message.start + time.duration;
    from.send_free = message.end;
    receiver.receive_free = message.end;
    sends_.at(sender, from.settled) = message;
    receives_.at(to.stage, receiver.received) = message;
    ++receiver.received;
    ++from.settled;
    if (time.hold > 0) {
        double& compute = streams(sender)[workload::compute_stream.index()];
        compute = later(compute, message.start + time.hold);
        wake(sender);
    }
}

void SchedulePlayer::shift_stage(std::uint32_t stage, const Jump& jump) {
    StageState& state = stages_[stage];
    const Jump::Stage& one = jump.stages[stage];
    const double by = jump.periods * jump.shift;
    const std::uint32_t sent = jump.periods * one.sent_a_period;
    const std::uint32_t received = jump.periods * one.received_a_period;
    for (std::uint32_t n = state.sent; n-- > state.settled;) {
        Destination& moved = destinations_[stage * most_tasks_ + n + sent];
        moved = destinations_[stage * most_tasks_ + n];
        moved.task.microbatch += jump.periods * jump.microbatches_a_period;
        sends_.at(stage, n + sent).ready = sends_.at(stage, n).ready + by;
    }
    for (std::uint32_t n = state.received; n-- > state.consumed;) {
        const Transfer& message = receives_.at(stage, n);
        receives_.at(stage, n + received) = {message.ready + by, message.start + by, message.end + by,
                                             message.limit};
    }
    for (std::size_t s = 0; s < stream_count_; ++s) {
        if ((one.moving_streams >> s & 1U) != 0) streams(stage)[s] += by;
    }
    if (sent > 0) state.send_free += by;
    if (received > 0) state.receive_free += by;
    state.sent += sent;
    state.settled += sent;
    state.received += received;
    state.consumed += received;
    state.position += jump.periods * one.tasks_a_period;
    state.posted += jump.periods * one.tasks_a_period;
    post_next(stage);
}

void SchedulePlayer::check_finished() const {
    std::string stuck;
    for (std::uint32_t i = 0; i < stages_.size(); ++i) {
        const StageState& state = stages_[i];
        if (state.position < state.tasks || state.settled < state.sent) stuck += waiting_for(i);
    }
    if (!stuck.empty()) throw ModelError("the pipeline schedule deadlocks:" + stuck);
}

std::string SchedulePlayer::waiting_for(std::uint32_t stage) const {
    const StageState& state = stages_[stage];
    const auto describe = [](const Task& task) {
        constexpr std::array<std::string_view, 3> names{"forward", "backward", "weight pass"};
        return fmt::format("{} of chunk {}, microbatch {}", names[static_cast<std::size_t>(task.pass)],
                           task.chunk, task.microbatch);
    };
    if (state.settled < state.sent) {
        const Destination& to = destinations_[stage * most_tasks_ + state.settled];
        return fmt::format("\n  stage {} cannot send to stage {} for its {}", stage, to.stage,
                           describe(to.task));
    }
    const Task& task = graph_->schedule.tasks[stage][state.position];
    const Peer source = workload::source_of(task, stage, graph_->schedule);
    return fmt::format("\n  stage {} waits with its {} for stage {}", stage, describe(task), source.stage);
}

void SchedulePlayer::finish() {
    for (std::uint32_t i = 0; i < stages_.size(); ++i) {
        play_region(i, graph_->programs[stages_[i].program].finish);
    }
}

double SchedulePlayer::last_stream(std::uint32_t stage) const {
    const double* const free = streams(stage);
    const double last = *std::max_element(free, free + stream_count_);
    return later(last, later(stages_[stage].send_free, stages_[stage].receive_free));
}

}  // namespace dse::sim::fold
