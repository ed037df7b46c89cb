#include "dse/sim/fold/run_jump.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dse/sim/fold/max_plus.hpp"

namespace dse::sim::fold {

namespace {

/// With fewer tasks to come, an attempt does not pay.
constexpr std::uint32_t least_skipped = 4;
/// Number of tasks in whose time a run is over, as measured: some four are played, each with an attempt.
constexpr std::uint32_t tasks_in_time_of_a_run = 48;

constexpr std::uint32_t one_less = ~std::uint32_t{0};

}  // namespace

bool RunJump::pays(const ScheduleProgram& program, std::size_t factor) {
    std::size_t played = program.steps().size();
    for (const StepRun& run : program.runs())
        played -= std::size_t{run.steps} * (run.rounds - std::min(run.rounds, tasks_in_time_of_a_run));
    return program.steps().size() > factor * played;
}

std::optional<std::uint32_t> RunJump::Growth::position(std::uint32_t number) const {
    const std::uint32_t distance = step == one_less ? base - number : number - base;
    return distance <= tasks ? std::optional{distance} : std::nullopt;
}

void RunJump::run(SchedulePlayer& player, std::size_t end) {
    player_ = &player;
    messages_.clear();
    saved_.clear();
    rates_.clear();
    std::size_t played = 0;
    for (const StepRun& run : player.program().runs()) {
        fill_in(played, run.begin, messages_, saved_);
        player.play(played, run.begin);
        play_run(run);
        played = run.end();
    }
    fill_in(played, player.program().steps().size(), messages_, saved_);
    player.play(played, end);
}

void RunJump::play_run(const StepRun& run) {
    begin_run(run);
    std::uint32_t patience = 1;
    for (std::uint32_t round = 0; round < run.rounds;) {
        // After failed attempts, some tasks are played without one.
        const std::uint32_t unseen = std::min(patience / 4, run.rounds - round - 1);
        play_rounds(run, round, unseen);
        round += unseen;
        before_.clear();
        for (const double* const time : times_) before_.push_back(*time);
        play_rounds(run, round, 1);
        const std::uint32_t tasks = tasks_to_skip(run, round);
        if (tasks > 0) skip(run, round, tasks);
        patience = tasks > 0 ? 1 : patience + 1 + patience / 8;
        round += tasks + 1;
    }
}

void RunJump::play_rounds(const StepRun& run, std::uint32_t round, std::uint32_t count) {
    const std::size_t begin = run.begin + std::size_t{round} * run.steps;
    const std::size_t end = begin + std::size_t{count} * run.steps;
    fill_in(begin, end, messages_to_run_, saved_for_run_);
    player_->play(begin, end);
}

void RunJump::begin_run(const StepRun& run) {
    const Step& task = task_of(run, 0);
    ScheduleState& state = player_->state();
    times_.clear();
    for (std::size_t s = 0; s < player_->streams(); ++s) times_.push_back(state.streams(task.stage) + s);
    if (run.steps == 2 && !player_->message_stream()) {
        const Step& transfer = (&task)[1];
        times_.push_back(&state.send_free(transfer.microbatch));
        times_.push_back(&state.receive_free(transfer.out));
    }
    has_latest_saved_ = false;
    messages_to_run_.clear();
    const Step& last = task_of(run, run.rounds - 1);
    for (const Growth& growth : messages_) {
        if (growth.base <= last.in && task.in <= growth.base + growth.tasks)
            messages_to_run_.push_back(growth);
    }
    saved_for_run_.clear();
    for (const Growth& growth : saved_) {
        if (growth.stage == task.stage) saved_for_run_.push_back(growth);
    }
}

std::uint32_t RunJump::tasks_to_skip(const StepRun& run, std::uint32_t round) {
    // The last task is always played: what others read of it is then known.
    const std::uint32_t left = run.rounds - round - 1;
    if (left <= least_skipped) return 0;
    const Step& task = task_of(run, round);
    const std::uint32_t tasks = read_inputs(task, left - 1);
    if (tasks < least_skipped) return 0;
    const bool reads_saved = player_->operator_of(task.stage, task.variant).saved_in > 0;
    if (reads_saved && !has_latest_saved_) read_latest_saved(run);
    horizon_ = tasks;
    if (!follow_task(task)) return 0;
    if (run.steps == 2) follow_transfer((&task)[1]);
    if (!rates_hold() || horizon_ < least_skipped) return 0;
    return static_cast<std::uint32_t>(horizon_);
}

std::uint32_t RunJump::read_inputs(const Step& task, std::uint32_t tasks) {
    inputs_.clear();
    for (std::size_t s = 0; s < player_->streams(); ++s)
        inputs_.push_back({before_[s], *times_[s] - before_[s]});
    Line message{player_->state().message(task.in).end, 0};
    if (task.in > nobody) {
        const auto growth =
            std::find_if(messages_to_run_.begin(), messages_to_run_.end(),
                         [&](const Growth& each) { return each.position(task.in).has_value(); });
        if (growth == messages_to_run_.end()) return 0;
        message.rate = rates_[growth->rate];
        tasks = std::min(tasks, growth->tasks - *growth->position(task.in));
    }
    inputs_.push_back(message);
    return tasks;
}

RunJump::Line RunJump::latest(std::span<const Line> lines) {
    Line last;
    for (const Line& line : lines) {
        const bool is_last = line.time > last.time || (line.time == last.time && line.rate > last.rate);
        if (is_last) last = line;
    }
    if (last.time == absent) return {};
    for (const Line& line : lines) {
        if (line.rate <= last.rate || line.time == absent) continue;
        double tasks = std::floor((last.time - line.time) / (line.rate - last.rate));
        // The quotient may have been rounded up.
        if (line.time + tasks * line.rate > last.time + tasks * last.rate) tasks -= 1;
        horizon_ = std::min(horizon_, tasks);
    }
    return last;
}

/// \return whether saved values decide nothing
bool RunJump::follow_task(const Step& task) {
    const TaskOperator& played = player_->operator_of(task.stage, task.variant);
    const double* const columns = player_->columns_of(played);
    const std::size_t height = padded(played.outputs);
    results_.clear();
    for (std::size_t i = 0; i < played.outputs; ++i) {
        terms_.clear();
        for (std::size_t j = 0; j < inputs_.size(); ++j)
            terms_.push_back({inputs_[j].time + columns[j * height + i], inputs_[j].rate});
        const Line last = latest(terms_);
        for (std::size_t k = 0; k < played.saved_in; ++k) {
            if (latest_saved_[k] + columns[(inputs_.size() + k) * height + i] > last.time) return false;
        }
        results_.push_back(last);
    }
    arrival_ = results_[player_->streams()];
    return true;
}

void RunJump::follow_transfer(const Step& transfer) {
    const TransferTime& time = player_->time_of(transfer);
    const auto after = [](const Line& line, double seconds) { return Line{line.time + seconds, line.rate}; };
    const Line ready = arrival_;
    Line start;
    if (const auto queue = player_->message_stream()) {
        Line& stream = results_[queue->index()];
        start = latest(std::array{ready, stream});
        arrival_ = stream = after(start, time.duration);
    } else {
        const std::size_t send = player_->streams();
        const auto lane = [this](std::size_t i) { return Line{before_[i], *times_[i] - before_[i]}; };
        start = latest(std::array{ready, lane(send), lane(send + 1)});
        arrival_ = lanes_ = after(start, time.duration);
    }
    if (time.hold == 0) return;
    Line& compute = results_[graph::compute_stream.index()];
    compute = latest(std::array{compute, after(start, time.hold)});
}

/// Whether streams and lanes grow as they have grown.
bool RunJump::rates_hold() const {
    for (std::size_t i = 0; i < times_.size(); ++i) {
        const Line& result = i < player_->streams() ? results_[i] : lanes_;
        if (result.time != *times_[i] || result.rate != *times_[i] - before_[i]) return false;
    }
    return true;
}

/// Of all tasks of the run.
void RunJump::read_latest_saved(const StepRun& run) {
    const Step& first = task_of(run, 0);
    const std::size_t count = player_->operator_of(first.stage, first.variant).saved_in;
    latest_saved_.assign(count, absent);
    for (std::uint32_t round = 0; round < run.rounds; ++round) {
        const std::uint32_t microbatch = task_of(run, round).microbatch;
        const auto growth =
            std::find_if(saved_for_run_.rbegin(), saved_for_run_.rend(),
                         [&](const Growth& each) { return each.position(microbatch).value_or(0) > 0; });
        const bool is_skipped = growth != saved_for_run_.rend();
        const double* const saved =
            player_->state().saved(first.stage, is_skipped ? growth->base : microbatch);
        for (std::size_t k = 0; k < count; ++k) {
            const double later_by = is_skipped ? growth->tasks * rates_[growth->rate + k] : 0.0;
            latest_saved_[k] = later(latest_saved_[k], saved[k] + later_by);
        }
        if (!is_skipped) continue;
        // All of these have been considered.
        const std::uint32_t position = *growth->position(microbatch);
        round += growth->step == run.microbatch ? growth->tasks - position : position - 1;
    }
    has_latest_saved_ = true;
}

void RunJump::skip(const StepRun& run, std::uint32_t round, std::uint32_t tasks) {
    const Step& task = task_of(run, round);
    for (std::size_t i = 0; i < times_.size(); ++i) *times_[i] += tasks * (*times_[i] - before_[i]);
    if (task.out > nobody) {
        messages_.push_back({task.stage, task.out, 1, tasks, rates_.size()});
        rates_.push_back(arrival_.rate);
    }
    if (player_->operator_of(task.stage, task.variant).saved_out == 0) return;
    saved_.push_back({task.stage, task.microbatch, run.microbatch, tasks, rates_.size()});
    for (std::size_t i = player_->streams() + 1; i < results_.size(); ++i) rates_.push_back(results_[i].rate);
}

void RunJump::fill_in(std::size_t begin, std::size_t end, std::span<const Growth> messages,
                      std::span<const Growth> saved) {
    if (messages.empty() && saved.empty()) return;
    for (const Step& step : player_->program().steps().subspan(begin, end - begin)) {
        if (step.kind != Step::Kind::transfer) fill_in(step, messages, saved);
    }
}

/// What a task reads.
void RunJump::fill_in(const Step& task, std::span<const Growth> messages, std::span<const Growth> saved) {
    ScheduleState& state = player_->state();
    for (const Growth& growth : messages) {
        const std::uint32_t position = growth.position(task.in).value_or(0);
        if (position == 0) continue;
        state.message(task.in).end = state.message(growth.base).end + position * rates_[growth.rate];
    }
    const std::size_t count = player_->operator_of(task.stage, task.variant).saved_in;
    for (const Growth& growth : saved) {
        if (growth.stage != task.stage) continue;
        const std::uint32_t position = growth.position(task.microbatch).value_or(0);
        if (position == 0) continue;
        const double* const base = state.saved(task.stage, growth.base);
        double* const values = state.saved(task.stage, task.microbatch);
        for (std::size_t k = 0; k < count; ++k) values[k] = base[k] + position * rates_[growth.rate + k];
    }
}

}  // namespace dse::sim::fold
