#include "dse/sim/fold/period_jump.hpp"

#include <algorithm>

namespace dse::sim::fold {

using workload::Pass;
using workload::Task;

namespace {

/// Rounds below which looking for a period costs more than it saves.
constexpr std::uint32_t least_rounds = 4;

}  // namespace

Transfer MessageView::at(std::uint32_t n) const {
    if (n < first_hidden_ || n >= end_hidden_) return log_->at(stage_, n);
    const std::uint32_t periods = (n - first_hidden_) / a_period_ + 1;
    Transfer message = log_->at(stage_, n - periods * a_period_);
    const double by = periods * shift_;
    message.ready += by;
    message.start += by;
    message.end += by;
    return message;
}

MessageView MessageView::sends(const MessageLog& log, std::uint32_t stage) {
    MessageView view;
    view.log_ = &log.sends;
    view.stage_ = stage;
    if (log.jump.periods == 0) return view;
    const Jump::Stage& at = log.jump.stages[stage];
    view.first_hidden_ = at.sent;
    view.end_hidden_ = at.sent + log.jump.periods * at.sent_a_period;
    view.a_period_ = at.sent_a_period;
    view.shift_ = log.jump.shift;
    return view;
}

MessageView MessageView::receives(const MessageLog& log, std::uint32_t stage) {
    MessageView view;
    view.log_ = &log.receives;
    view.stage_ = stage;
    if (log.jump.periods == 0) return view;
    const Jump::Stage& at = log.jump.stages[stage];
    view.first_hidden_ = at.received;
    view.end_hidden_ = at.received + log.jump.periods * at.received_a_period;
    view.a_period_ = at.received_a_period;
    view.shift_ = log.jump.shift;
    return view;
}

void PeriodJump::run(const workload::Graph& graph, RegionOperators& regions, SchedulePlayer& player) {
    graph_ = &graph;
    player_ = &player;
    jump_.periods = 0;
    const workload::PipelineSchedule& schedule = graph.schedule;
    const std::uint32_t rounds = schedule.steady.rounds;
    if (rounds < least_rounds || !play_to_round(0)) return play_on();

    kept_ = schedule.stages + 1;
    snapshots_.resize(std::size_t{kept_} * schedule.stages);
    streams_.resize(snapshots_.size() * graph.streams.size());
    find_windows();
    find_used_streams(regions);
    take_snapshot(0);
    for (std::uint32_t round = 1; round < rounds; ++round) {
        if (!play_to_round(round)) break;
        take_snapshot(round);
        const std::uint32_t longest = std::min(round, schedule.stages);
        for (std::uint32_t period = 1; period <= longest; ++period) {
            if (!is_shifted(round - period, round)) continue;
            const std::uint32_t periods = periods_left(round, period);
            if (periods > 0) leave_out(round, period, periods);
            return play_on();
        }
    }
    play_on();
}

bool PeriodJump::play_to_round(std::uint32_t round) {
    const workload::SteadyPhase& steady = graph_->schedule.steady;
    bool all = true;
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        player_->stage(i).end = steady.begin[i] + round * steady.tasks_per_round;
    }
    player_->run();
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        all = all && player_->stage(i).position == player_->stage(i).end;
    }
    return all;
}

void PeriodJump::play_on() {
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i)
        player_->stage(i).end = player_->stage(i).tasks;
    player_->run();
}

/// Passes of a chunk take its microbatches in ascending order, so that those between its backwards and its
/// forwards are the ones with saved values.
void PeriodJump::find_windows() {
    const workload::PipelineSchedule& schedule = graph_->schedule;
    windows_.clear();
    for (std::uint32_t i = 0; i < schedule.stages; ++i) {
        done_.assign(std::size_t{2} * schedule.chunks, 0);
        for (std::uint32_t t = 0; t < schedule.steady.begin[i]; ++t) {
            const Task& task = schedule.tasks[i][t];
            ++done_[task.chunk * 2U + (task.pass == Pass::forward ? 0 : 1)];
        }
        const workload::StageProgram& program = graph_->programs[graph_->program_of[i]];
        for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
            const workload::Region& forward = graph_->regions[program.chunks[c].forward.index()];
            windows_.push_back({i, c, done_[2 * c + 1], done_[2 * c], forward.outputs.size() - 1});
        }
    }
}

void PeriodJump::find_used_streams(RegionOperators& regions) {
    const workload::PipelineSchedule& schedule = graph_->schedule;
    used_streams_.assign(schedule.stages, 0);
    for (std::uint32_t i = 0; i < schedule.stages; ++i) {
        const std::uint32_t program = graph_->program_of[i];
        for (std::uint32_t c = 0; c < schedule.chunks; ++c) {
            const workload::ChunkProgram& chunk = graph_->programs[program].chunks[c];
            used_streams_[i] |=
                regions.streams_of(chunk.forward, program) | regions.streams_of(chunk.backward, program);
        }
        used_streams_[i] |= 1U;  // a transfer may hold the compute stream
    }
}

void PeriodJump::take_snapshot(std::uint32_t round) {
    const std::size_t first = std::size_t{round % kept_} * graph_->schedule.stages;
    const std::size_t streams = graph_->streams.size();
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        Snapshot& taken = snapshots_[first + i];
        taken.state = player_->stage(i);
        taken.first_stream = (first + i) * streams;
        std::copy_n(player_->streams(i), streams, streams_.data() + taken.first_stream);
    }
}

const PeriodJump::Snapshot& PeriodJump::snapshot(std::uint32_t round, std::uint32_t stage) const {
    return snapshots_[std::size_t{round % kept_} * graph_->schedule.stages + stage];
}

double PeriodJump::shift_between(std::uint32_t from, std::uint32_t to) const {
    return streams_[snapshot(to, 0).first_stream] - streams_[snapshot(from, 0).first_stream];
}

bool PeriodJump::is_shifted(std::uint32_t from, std::uint32_t to) const {
    const double shift = shift_between(from, to);
    return are_streams_shifted(from, to, shift) && are_messages_shifted(from, to, shift) &&
           are_saved_values_shifted(from, to, shift);
}

bool PeriodJump::are_streams_shifted(std::uint32_t from, std::uint32_t to, double shift) const {
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        const Snapshot& a = snapshot(from, i);
        const Snapshot& b = snapshot(to, i);
        for (std::size_t s = 0; s < graph_->streams.size(); ++s) {
            const bool moves = (used_streams_[i] >> s & 1U) != 0;
            if (streams_[b.first_stream + s] != streams_[a.first_stream + s] + (moves ? shift : 0.0))
                return false;
        }
        const double sending = b.state.sent > a.state.sent ? shift : 0.0;
        const double receiving = b.state.received > a.state.received ? shift : 0.0;
        if (b.state.send_free != a.state.send_free + sending) return false;
        if (b.state.receive_free != a.state.receive_free + receiving) return false;
    }
    return true;
}

bool PeriodJump::are_messages_shifted(std::uint32_t from, std::uint32_t to, double shift) const {
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        const StageState& a = snapshot(from, i).state;
        const StageState& b = snapshot(to, i).state;
        if (b.sent - b.settled != a.sent - a.settled || b.received - b.consumed != a.received - a.consumed ||
            (b.received > 0 && b.posted - b.position != a.posted - a.position)) {
            return false;
        }
        for (std::uint32_t n = 0; n < b.sent - b.settled; ++n) {
            if (player_->sends().at(i, b.settled + n).ready !=
                player_->sends().at(i, a.settled + n).ready + shift) {
                return false;
            }
        }
        for (std::uint32_t n = 0; n < b.received - b.consumed; ++n) {
            const Transfer& before = player_->receives().at(i, a.consumed + n);
            const Transfer& now = player_->receives().at(i, b.consumed + n);
            if (now.start != before.start + shift || now.end != before.end + shift) return false;
        }
    }
    return true;
}

bool PeriodJump::are_saved_values_shifted(std::uint32_t from, std::uint32_t to, double shift) const {
    const std::uint32_t a_round = graph_->schedule.steady.microbatches_per_round;
    for (const Window& window : windows_) {
        for (std::uint32_t m = window.begin; m < window.end; ++m) {
            const double* before = player_->saved(window.stage, window.chunk, m + from * a_round);
            const double* now = player_->saved(window.stage, window.chunk, m + to * a_round);
            for (std::size_t k = 0; k < window.values; ++k) {
                if (now[k] != before[k] + shift) return false;
            }
        }
    }
    return true;
}

/// Whole periods until the steady phase ends, for tasks and for receives that are posted ahead of them.
std::uint32_t PeriodJump::periods_left(std::uint32_t round, std::uint32_t period) const {
    const workload::SteadyPhase& steady = graph_->schedule.steady;
    std::uint32_t periods = (steady.rounds - round) / period;
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        const std::uint32_t end = steady.begin[i] + steady.rounds * steady.tasks_per_round;
        if (player_->stage(i).received == 0) continue;
        const std::uint32_t posted = player_->stage(i).posted;
        periods = posted > end ? 0 : std::min(periods, (end - posted) / (period * steady.tasks_per_round));
    }
    return periods;
}

void PeriodJump::leave_out(std::uint32_t round, std::uint32_t period, std::uint32_t periods) {
    const workload::SteadyPhase& steady = graph_->schedule.steady;
    jump_.periods = periods;
    jump_.shift = shift_between(round - period, round);
    jump_.microbatches_a_period = period * steady.microbatches_per_round;
    jump_.stages.clear();
    for (std::uint32_t i = 0; i < graph_->schedule.stages; ++i) {
        const StageState& a = snapshot(round - period, i).state;
        const StageState& b = snapshot(round, i).state;
        jump_.stages.push_back({b.position, b.settled, b.received, b.consumed, b.position - a.position,
                                b.settled - a.settled, b.received - a.received, used_streams_[i]});
        player_->shift_stage(i, jump_);
    }
    const std::uint32_t microbatches = periods * jump_.microbatches_a_period;
    const double by = periods * jump_.shift;
    for (const Window& window : windows_) {
        for (std::uint32_t m = window.end; m-- > window.begin;) {
            const std::uint32_t from = m + round * steady.microbatches_per_round;
            const double* values = player_->saved(window.stage, window.chunk, from);
            double* moved = player_->saved(window.stage, window.chunk, from + microbatches);
            for (std::size_t k = 0; k < window.values; ++k) moved[k] = values[k] + by;
        }
    }
}

}  // namespace dse::sim::fold
