#include "dse/sim/fold/period_jump.hpp"

#include <algorithm>

#include "uniform_shift.hpp"

namespace dse::sim::fold {

namespace {

/// An attempt plays two periods, the second one in the time of some five: with fewer to come, it does not
/// pay.
constexpr std::uint32_t least_periods = 7;

}  // namespace

void PeriodJump::run(SchedulePlayer& player, std::size_t end) {
    player_ = &player;
    steady_ = &player.program().steady();
    jumps_.clear();
    stream_rates_.clear();
    if (steady_->rounds == 0) return player.play(0, end);

    player.play(0, steady_->marks.front());
    mark_ = 0;
    next_attempt_ = 0;
    patience_ = 1;
    has_failed_ = false;
    has_rates_ = false;
    compares_rounds_ = has_long_rounds();
    gathered_at_ = steady_->rounds;
    moving_.clear();
    first_.clear();
    last_.clear();
    note_times();
    while (mark_ < steady_->rounds) {
        if (compares_rounds_ && leave_out_rest()) break;
        const std::uint32_t period = mark_ >= next_attempt_ ? likely_period() : 0;
        if (period > 0 && mark_ + least_periods * period <= steady_->rounds) {
            try_jump(period);
        } else {
            play_round();
        }
    }
    player.play(steady_->marks.back(), end);
}

void PeriodJump::play_round() {
    player_->play(player_->program().round(mark_, round_));
    ++mark_;
    note_times();
}

bool PeriodJump::has_long_rounds() const {
    constexpr std::size_t steps_a_value = 2;
    const std::size_t steps = (steady_->marks.back() - steady_->marks.front()) / steady_->listed();
    return steps > steps_a_value * steady_->live.size();
}

bool PeriodJump::leave_out_rest() {
    gather(player_->state(), now_);
    std::optional<double> shift;
    if (mark_ == gathered_at_ + 1) {
        if (moving_.empty()) find_moving(*player_, moving_);
        shift = uniform_shift(before_, now_, moving_);
    }
    if (shift) {
        find_rates();
        leave_out(steady_->rounds - mark_, 1, now_, shift);
        return true;
    }
    before_.swap(now_);
    gathered_at_ = mark_;
    return false;
}

void PeriodJump::note_times() {
    const std::size_t compute = graph::compute_stream.index();
    const std::size_t last = steady_->first_task.size() - 1;
    first_.push_back(player_->state().streams(0)[compute]);
    last_.push_back(player_->state().streams(last)[compute]);
}

/// Rounds that look alike for a while may still be part of a longer period. Hence, after the first failed
/// attempt, a period is accepted only if it persists for more rounds than the pipeline has stages.
std::uint32_t PeriodJump::likely_period() const {
    const std::size_t stages = steady_->first_task.size();
    const std::size_t seen = has_failed_ ? stages + 1 : 2;
    for (std::size_t period = 1; period <= stages && period + seen < first_.size(); ++period) {
        if (is_periodic(first_, period, seen) && is_periodic(last_, period, seen))
            return static_cast<std::uint32_t>(period);
    }
    return 0;
}

/// Whether each of the last `seen` rounds took as long as the round one period earlier.
bool PeriodJump::is_periodic(const std::vector<double>& times, std::size_t period, std::size_t seen) {
    const double* const now = times.data() + times.size() - 1;
    for (std::size_t k = 0; k < seen; ++k) {
        const double* const before = now - k - period;
        if (now - k - 1 < times.data() || before - 1 < times.data()) return false;
        if (*(now - k) - *(now - k - 1) != *before - *(before - 1)) return false;
    }
    return true;
}

/// Visits all times of the state at a mark in an order that is the same at every mark.
template <class Visit>
void PeriodJump::visit_state(std::uint32_t mark, ScheduleState& state, Visit visit) {
    const std::size_t stages = steady_->first_task.size();
    for (std::size_t i = 0; i < stages; ++i) {
        for (std::size_t s = 0; s < player_->streams(); ++s) visit(state.streams(i)[s]);
    }
    for (std::size_t end = 0; end < state.lane_ends(); ++end) {
        visit(state.send_free(end));
        visit(state.receive_free(end));
    }
    for (const LiveValue& value : steady_->live) {
        const std::size_t number = value.number + std::size_t{mark} * value.a_round;
        if (value.kind == LiveValue::Kind::ready) {
            visit(state.message(number).ready);
        } else if (value.kind == LiveValue::Kind::end) {
            visit(state.message(number).end);
        } else {
            const std::size_t count = player_->operator_of(value.stage, value.variant).saved_in;
            for (std::size_t k = 0; k < count; ++k) visit(state.saved(value.stage, number)[k]);
        }
    }
}

void PeriodJump::gather(ScheduleState& state, std::vector<double>& numbers) {
    numbers.clear();
    visit_state(mark_, state, [&numbers](double number) { numbers.push_back(number); });
}

void PeriodJump::find_rates() {
    rates_.clear();
    for (std::size_t i = 0; i < now_.size(); ++i) {
        rates_.push_back(now_[i] == before_[i] ? 0.0 : now_[i] - before_[i]);  // absent stays absent
    }
}

void PeriodJump::try_jump(std::uint32_t period) {
    gather(player_->state(), before_);
    for (std::uint32_t round = 0; round < period; ++round) play_round();
    gather(player_->state(), now_);
    gathered_at_ = steady_->rounds;  // before_ is not of the mark before
    find_rates();
    if (moving_.empty()) find_moving(*player_, moving_);
    if (const std::optional<double> shift = uniform_shift(before_, now_, moving_)) {
        return leave_out((steady_->rounds - mark_) / period, period, now_, shift);
    }
    if (!has_rates_) rate_player_.reset(*player_);
    has_rates_ = true;
    std::size_t i = 0;
    visit_state(mark_, rate_player_.rates(), [&](double& rate) { rate = rates_[i++]; });

    rate_player_.start();
    for (std::uint32_t round = 0; round < period; ++round) {
        rate_player_.play(player_->program().round(mark_, round_));
        ++mark_;
        note_times();
    }
    gather(player_->state(), then_);
    gather(rate_player_.rates(), rates_then_);
    const std::uint32_t left = (steady_->rounds - mark_) / period;
    const double periods = std::min<double>(left, rate_player_.horizon());
    if (rates_hold() && periods >= 1) {
        leave_out(static_cast<std::uint32_t>(periods), period, then_, {});
    } else {
        has_failed_ = true;
        next_attempt_ = mark_ + patience_;
        patience_ *= 2;
    }
}

bool PeriodJump::rates_hold() const {
    for (std::size_t i = 0; i < then_.size(); ++i) {
        if (rates_then_[i] != rates_[i] || then_[i] != now_[i] + rates_[i]) return false;
    }
    return true;
}

void PeriodJump::leave_out(std::uint32_t periods, std::uint32_t period, const std::vector<double>& at_mark,
                           std::optional<double> shift) {
    jumps_.push_back({mark_ - period, period, periods, stream_rates_.size(), shift});
    // The state begins with the streams of all stages.
    const auto streams = static_cast<std::ptrdiff_t>(steady_->first_task.size() * player_->streams());
    stream_rates_.insert(stream_rates_.end(), rates_.begin(), rates_.begin() + streams);
    if (shift && player_->log() != nullptr) log_shift(jumps_.back());
    mark_ += periods * period;
    std::size_t i = 0;
    visit_state(mark_, player_->state(), [&](double& time) {
        time = at_mark[i] + periods * rates_[i];
        ++i;
    });
    first_.clear();
    last_.clear();
    note_times();
}

/// What RatePlayer logs of tasks follows from the shift.
void PeriodJump::log_shift(const Jump& jump) const {
    const std::size_t tasks = std::size_t{jump.rounds} * steady_->tasks_a_round;
    for (std::uint32_t stage = 0; stage < steady_->first_task.size(); ++stage)
        player_->log()->grow_by(stage, tasks, stream_rates(jump, stage), *jump.shift);
}

}  // namespace dse::sim::fold
