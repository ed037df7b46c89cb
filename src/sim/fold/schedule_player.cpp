#include "dse/sim/fold/schedule_player.hpp"

#include <algorithm>

#include "apply_columns.hpp"
#include "dse/base/check.hpp"

namespace dse::sim::fold {

void SchedulePlayer::reset(const graph::Graph& graph, const Durations& durations,
                           const ScheduleProgram& program, RegionOperators& regions, const RegionTable& table,
                           TaskLog* log) {
    graph_ = &graph;
    durations_ = &durations;
    program_ = &program;
    regions_ = &regions;
    log_ = log;
    stream_count_ = graph.streams.size();
    most_saved_ = table.most_values();
    task_visits_ = 0;
    operators_.reset(graph, program, regions);
    reset_like(state_);
    state_.message(no_value) = {absent, absent, absent};
    if (log_ != nullptr) log_->reset(graph.schedule.stages, stream_count_ + most_saved_);
    for (std::uint32_t i = 0; i < graph.schedule.stages; ++i) {
        play_region(i, graph.programs[graph.program_of[i]].update);
    }
}

void SchedulePlayer::reset_like(ScheduleState& other) const {
    const graph::PipelineSchedule& schedule = graph_->schedule;
    other.reset(schedule.stages, std::size_t{graph::lanes_of(schedule)} * schedule.stages, stream_count_,
                most_saved_, std::size_t{schedule.chunks} * schedule.microbatches, program_->slots());
}

void SchedulePlayer::play_region(std::uint32_t stage, graph::RegionId region) {
    const std::uint32_t program = graph_->program_of[stage];
    const std::size_t columns = regions_->columns_of(region, program);
    const Operator& rows = regions_->of(region, program);
    DSE_EXPECT(rows.inputs == stream_count_);
    apply(regions_->pool().at(columns), rows.inputs, rows.outputs, state_.streams(stage),
          state_.streams(stage));
}

[[gnu::always_inline]] inline void SchedulePlayer::hold_compute(const Step& transfer, double start,
                                                                const TransferTime& time) {
    if (time.hold == 0) return;
    double& compute = state_.streams(transfer.stage)[graph::compute_stream.index()];
    compute = later(compute, start + time.hold);
}

[[gnu::always_inline]] inline void SchedulePlayer::play_task(const Step& step) {
    const TaskOperator& played = operators_.of(step.stage, step.variant);
    double* const state = state_.streams(step.stage);
    double* const boundary = state + stream_count_;
    double* const saved = state_.saved(step.stage, step.microbatch);
    *boundary = state_.message(step.in).end;
    for (std::size_t k = 0; k < played.saved_in; ++k) boundary[k + 1] = saved[k];
    if (log_ != nullptr) log_->add(step.stage, state, played.inputs);
    apply_columns(columns_of(played), played.inputs, played.outputs, state, state);
    for (std::size_t k = 0; k < played.saved_out; ++k) saved[k] = boundary[k + 1];
    state_.message(step.out) = {*boundary, *boundary, *boundary};
}

[[gnu::always_inline]] inline void SchedulePlayer::play_pair(const Step& step, const Step& second) {
    const TaskOperator& played = operators_.of(step.stage, step.variant);
    double* const state = state_.streams(step.stage);
    double* const boundary = state + stream_count_;
    const double* const taken = state_.saved(second.stage, second.microbatch);
    double* const saved = state_.saved(step.stage, step.microbatch);
    boundary[0] = state_.message(step.in).end;
    boundary[1] = state_.message(second.in).end;
    for (std::size_t k = 0; k < played.saved_in; ++k) boundary[k + 2] = taken[k];
    if (log_ != nullptr) log_->add(step.stage, state, played.inputs);
    apply_columns(columns_of(played), played.inputs, played.outputs, state, state);
    for (std::size_t k = 0; k < played.saved_out; ++k) saved[k] = boundary[k + 2];
    state_.message(step.out) = {boundary[0], boundary[0], boundary[0]};
    state_.message(second.out) = {boundary[1], boundary[1], boundary[1]};
}

[[gnu::always_inline]] inline void SchedulePlayer::play_transfer(const Step& step) {
    const TransferTime& time = time_of(step);
    double& send_free = state_.send_free(step.microbatch);
    double& receive_free = state_.receive_free(step.out);
    Message& message = state_.message(step.in);
    message.start = later(message.ready, later(send_free, receive_free));
    message.end = message.start + time.duration;
    send_free = receive_free = message.end;
    hold_compute(step, message.start, time);
}

[[gnu::always_inline]] inline void SchedulePlayer::play_queued(const Step& step) {
    const TransferTime& time = time_of(step);
    double& queue = state_.streams(step.stage)[graph_->message_stream->index()];
    Message& message = state_.message(step.in);
    message.start = later(message.ready, queue);
    message.end = queue = message.start + time.duration;
    hold_compute(step, message.start, time);
}

DSE_WIDE_TOO
void SchedulePlayer::play(std::span<const Step> steps) {
    const bool is_queued = graph_->message_stream.has_value();
    std::uint64_t visits = 0;
    for (const Step& step : steps) {
        if (step.kind == Step::Kind::task) {
            ++visits;
            play_task(step);
        } else if (step.kind == Step::Kind::transfer) {
            if (is_queued) {
                play_queued(step);
            } else {
                play_transfer(step);
            }
        } else if (step.kind == Step::Kind::pair) {
            visits += 2;
            play_pair(step, (&step)[1]);
        }
    }
    task_visits_ += visits;
}

void SchedulePlayer::finish() {
    const std::uint32_t stages = graph_->schedule.stages;
    for (std::uint32_t i = 0; i < stages && log_ != nullptr; ++i)
        log_->add(i, state_.streams(i), stream_count_);
    meets_at_.resize(graph::meeting_pairs(*graph_));
    for (std::uint32_t i = 0; i < meets_at_.size(); ++i) {
        const std::size_t stream = graph::meeting_stream(*graph_).index();
        double* const first = state_.streams(i);
        double* const last = state_.streams(stages - 1 - i);
        const auto ready = [this](const double* free) {
            return *std::max_element(free, free + stream_count_);
        };
        first[stream] = last[stream] = meets_at_[i] = later(ready(first), ready(last));
    }
    for (std::uint32_t i = 0; i < stages; ++i) {
        play_region(i, graph_->programs[graph_->program_of[i]].finish);
    }
}

double SchedulePlayer::last_stream(std::uint32_t stage) const {
    const double* const free = state_.streams(stage);
    double last = *std::max_element(free, free + stream_count_);
    for (std::size_t end = stage; end < state_.lane_ends(); end += graph_->schedule.stages)
        last = later(last, later(state_.send_free(end), state_.receive_free(end)));
    return last;
}

}  // namespace dse::sim::fold
