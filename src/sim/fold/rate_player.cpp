#include "dse/sim/fold/rate_player.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "dse/base/check.hpp"

namespace dse::sim::fold {

void RatePlayer::reset(SchedulePlayer& player) {
    player_ = &player;
    player.reset_like(rates_);
    rates_.message(no_value) = {0, 0, 0};
}

void RatePlayer::start() {
    horizon_ = std::numeric_limits<double>::infinity();
}

void RatePlayer::play(std::size_t begin, std::size_t end) {
    for_each_step(
        player_->program().steps().subspan(begin, end - begin),
        [this](const Step& step) { play_task(step, step); },
        [this](const Step& step, const Step& second) { play_task(step, second); },
        [this](const Step& step) { play_transfer(step); });
}

RatePlayer::Moving RatePlayer::later_of(const Moving& a, const Moving& b) {
    if (a.time != b.time) return a.time > b.time ? a : b;
    return a.rate >= b.rate ? a : b;
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
    const double* const taken_times = times.saved(step.stage, last_step.microbatch);
    const double* const taken_rates = rates_.saved(step.stage, last_step.microbatch);
    double* const saved_times = times.saved(step.stage, step.microbatch);
    double* const saved_rates = rates_.saved(step.stage, step.microbatch);

    std::array<Moving, 2 * graph::most_values> in;
    std::array<Moving, 2 * graph::most_values> out;
    DSE_EXPECT(played.inputs <= in.size() && played.outputs <= out.size());
    for (std::size_t s = 0; s < streams; ++s) in[s] = {time[s], rate[s]};
    in[streams] = {times.message(step.in).end, rates_.message(step.in).end};
    const std::size_t saved = streams + boundaries;
    if (boundaries == 2)
        in[streams + 1] = {times.message(last_step.in).end, rates_.message(last_step.in).end};
    for (std::size_t k = 0; k < played.saved_in; ++k) in[saved + k] = {taken_times[k], taken_rates[k]};

    const double* const columns = player_->columns_of(played);
    const std::size_t height = padded(played.outputs);
    const auto reached = [&](std::size_t i, std::size_t j) {
        return Moving{in[j].time + columns[j * height + i], in[j].rate};
    };
    for (std::size_t i = 0; i < played.outputs; ++i) {
        Moving last;
        double fastest = 0;
        for (std::size_t j = 0; j < played.inputs; ++j) {
            const Moving value = reached(i, j);
            if (value.time == absent) continue;
            last = later_of(last, value);
            fastest = later(fastest, value.rate);
        }
        if (fastest > last.rate) {
            for (std::size_t j = 0; j < played.inputs; ++j) stay_behind(last, reached(i, j));
        }
        out[i] = last;
    }

    for (std::size_t s = 0; s < streams; ++s) {
        time[s] = out[s].time;
        rate[s] = out[s].rate;
    }
    for (std::size_t b = 0; b < boundaries; ++b) {
        const Moving& boundary = out[streams + b];
        const std::uint32_t slot = b == 0 ? step.out : last_step.out;
        times.message(slot) = {boundary.time, boundary.time, boundary.time};
        rates_.message(slot) = {boundary.rate, boundary.rate, boundary.rate};
    }
    for (std::size_t k = 0; k < played.saved_out; ++k) {
        saved_times[k] = out[saved + k].time;
        saved_rates[k] = out[saved + k].rate;
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
