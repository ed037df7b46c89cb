#include "dse/sim/fold/rate_player.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dse/base/check.hpp"
#include "quad.hpp"

namespace dse::sim::fold {

namespace {

/// most = max(most, rate) where time + by == last
template <class Numbers>
[[gnu::always_inline]] inline void raise_where_last(Numbers& most, const Numbers& rate, const Numbers& time,
                                                    const Numbers& by, const Numbers& last) {
    const Numbers fastest = rate > most ? rate : most;
    most = by + time == last ? fastest : most;
}

/// An output grows like the fastest of those that it waits for.
/// \param height          padded number of outputs
/// \param in_time, in_rate  by input
/// \param time            by output: what the operator yields
/// \param rate            set, by output; has no meaning where the time is absent
DSE_WIDE_TOO
void find_rates(const double* columns, std::size_t inputs, std::size_t height, const double* in_time,
                const double* in_rate, const double* time, double* rate) {
    std::size_t i = 0;
    for (; i + quad_block <= height; i += quad_block) {
        Quad most = {absent, absent, absent, absent};
        Quad last;
        load_quad(last, time + i);
        for (std::size_t j = 0; j < inputs; ++j) {
            Quad by;
            load_quad(by, columns + j * height + i);
            raise_where_last(most, Quad{in_rate[j], in_rate[j], in_rate[j], in_rate[j]},
                             Quad{in_time[j], in_time[j], in_time[j], in_time[j]}, by, last);
        }
        store_quad(rate + i, most);
    }
    if (i == height) return;
    Pair most = both(absent);
    for (std::size_t j = 0; j < inputs; ++j)
        raise_where_last(most, both(in_rate[j]), both(in_time[j]), load(columns + j * height + i),
                         load(time + i));
    store(rate + i, most);
}

}  // namespace

void RatePlayer::reset(SchedulePlayer& player) {
    player_ = &player;
    player.reset_like(rates_);
    rates_.message(no_value) = {0, 0, 0};
}

void RatePlayer::start() {
    horizon_ = std::numeric_limits<double>::infinity();
}

void RatePlayer::play(std::span<const Step> steps) {
    for_each_step(
        steps, [this](const Step& step) { play_task(step, step); },
        [this](const Step& step, const Step& second) { play_task(step, second); },
        [this](const Step& step) { play_transfer(step); });
}

void RatePlayer::stay_behind(const Moving& winner, const Moving& loser) {
    if (loser.rate <= winner.rate || loser.time == absent) return;
    horizon_ = std::min(horizon_, std::floor((winner.time - loser.time) / (loser.rate - winner.rate)));
}

void RatePlayer::play_task(const Step& step, const Step& last_step) {
    const std::size_t boundaries = &step == &last_step ? 1 : 2;
    for (std::size_t b = 0; b < boundaries; ++b) player_->count_task();
    ScheduleState& times = player_->state();
    const TaskOperator& played = player_->operator_of(step.stage, step.variant);
    const std::size_t streams = player_->streams();
    double* const time = times.streams(step.stage);
    double* const rate = rates_.streams(step.stage);
    const std::array<const Step*, 2> steps{&step, &last_step};
    for (std::size_t b = 0; b < boundaries; ++b) {
        time[streams + b] = times.message(steps[b]->in).end;
        rate[streams + b] = rates_.message(steps[b]->in).end;
    }
    const std::size_t saved = streams + boundaries;
    std::copy_n(times.saved(step.stage, last_step.microbatch), played.saved_in, time + saved);
    std::copy_n(rates_.saved(step.stage, last_step.microbatch), played.saved_in, rate + saved);

    if (player_->log() != nullptr) player_->log()->add(step.stage, time, rate, played.inputs);
    apply_task(played, time, rate);

    for (std::size_t b = 0; b < boundaries; ++b) {
        times.message(steps[b]->out) = {time[streams + b], time[streams + b], time[streams + b]};
        rates_.message(steps[b]->out) = {rate[streams + b], rate[streams + b], rate[streams + b]};
    }
    std::copy_n(time + saved, played.saved_out, times.saved(step.stage, step.microbatch));
    std::copy_n(rate + saved, played.saved_out, rates_.saved(step.stage, step.microbatch));
}

/// \param time, rate  of a stage: what the operator takes, and then what it yields
void RatePlayer::apply_task(const TaskOperator& played, double* time, double* rate) {
    DSE_EXPECT(played.inputs <= in_time_.size() && played.outputs <= in_time_.size());
    std::copy_n(time, played.inputs, in_time_.begin());
    std::copy_n(rate, played.inputs, in_rate_.begin());
    const double* const columns = player_->columns_of(played);
    const std::size_t height = padded(played.outputs);
    apply(columns, played.inputs, played.outputs, in_time_.data(), time);

    find_rates(columns, played.inputs, height, in_time_.data(), in_rate_.data(), time, rate);
    double fastest = 0;
    for (std::size_t j = 0; j < played.inputs; ++j) {
        if (in_time_[j] != absent) fastest = later(fastest, in_rate_[j]);
    }
    for (std::size_t i = 0; i < played.outputs; ++i) {
        if (time[i] == absent) rate[i] = 0;
        if (fastest <= rate[i]) continue;
        for (std::size_t j = 0; j < played.inputs; ++j)
            stay_behind({time[i], rate[i]}, {in_time_[j] + columns[j * height + i], in_rate_[j]});
    }
}

void RatePlayer::play_transfer(const Step& step) {
    ScheduleState& times = player_->state();
    const TransferTime& transfer = player_->time_of(step);
    Message& message = times.message(step.in);
    Message& message_rate = rates_.message(step.in);
    const auto queue = player_->message_stream();
    double& sender = queue ? times.streams(step.stage)[queue->index()] : times.send_free(step.microbatch);
    double& sender_rate =
        queue ? rates_.streams(step.stage)[queue->index()] : rates_.send_free(step.microbatch);
    // If there is a message stream, the lanes are unused: free at 0, with rate 0.
    const std::array<Moving, 3> reasons{
        Moving{message.ready, message_rate.ready},
        Moving{sender, sender_rate},
        Moving{times.receive_free(step.out), rates_.receive_free(step.out)},
    };
    const Moving start = later_of(reasons[0], later_of(reasons[1], reasons[2]));
    for (const Moving& reason : reasons) stay_behind(start, reason);

    message.start = start.time;
    message.end = sender = start.time + transfer.duration;
    message_rate.start = message_rate.end = sender_rate = start.rate;
    if (!queue) {
        times.receive_free(step.out) = message.end;
        rates_.receive_free(step.out) = start.rate;
    }
    if (transfer.hold > 0) {
        double& compute = times.streams(step.stage)[graph::compute_stream.index()];
        double& compute_rate = rates_.streams(step.stage)[graph::compute_stream.index()];
        const Moving free{compute, compute_rate};
        const Moving held{start.time + transfer.hold, start.rate};
        const Moving last = later_of(free, held);
        stay_behind(last, free);
        stay_behind(last, held);
        compute = last.time;
        compute_rate = last.rate;
    }
}

}  // namespace dse::sim::fold
