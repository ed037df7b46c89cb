#include "dse/sim/fold/abreast_player.hpp"

#include <algorithm>
#include <numeric>

namespace dse::sim::fold {
namespace {

/// to = max(to, from)
void raise(double* to, const double* from) {
    for (std::size_t k = 0; k < abreast; ++k) to[k] = later(to[k], from[k]);
}

/// For few numbers, for which a call of the library's copy function would take longer than the copy itself.
void copy_numbers(double* to, const double* from, std::size_t count) {
    for (std::size_t k = 0; k < count * abreast; k += row_block) store(to + k, load(from + k));
}

}  // namespace

void AbreastPlayer::reset(const graph::Graph& graph, const ScheduleProgram& program, std::uint64_t number,
                          const AbreastSteps& steps, const RegionTable& table) {
    graph_ = &graph;
    program_ = &program;
    number_ = number;
    steps_ = &steps;
    table_ = &table;
    const std::size_t stages = graph.schedule.stages;
    const std::size_t lane_ends = graph::lanes_of(graph.schedule) * stages;
    for (std::vector<double>* times :
         {&forward_, &backward_, &forward_hold_, &backward_hold_, &send_free_, &receive_free_}) {
        times->assign(lane_ends * abreast, 0.0);
    }
    messages_.assign(steps.messages() * abreast, 0.0);
    std::fill_n(message(no_value), abreast, absent);
    saved_a_pass_ = table.most_values() * abreast;
    saved_.resize(steps.passes() * saved_a_pass_);
}

/// Calls visit(region, stage, program, variant) for the regions of all tasks that run.
template <class Visit>
void AbreastPlayer::for_each_task_region(Visit visit) const {
    const std::size_t a_chunk = variants_a_chunk(graph_->schedule);
    for (std::uint32_t stage = 0; stage < graph_->schedule.stages; ++stage) {
        const std::uint32_t program = graph_->program_of[stage];
        for (std::size_t variant = 0; variant < program_->variants(); ++variant) {
            if (!program_->uses(stage, variant)) continue;
            const graph::ChunkProgram& chunk = graph_->programs[program].chunks[variant / a_chunk];
            visit(graph::region_of(chunk, variant % a_chunk), stage, program, variant);
        }
    }
}

void AbreastPlayer::set(const AbreastOperators::AllDurations& durations, AbreastOperators& regions) {
    lay_out(regions);
    for (const Map& map : maps_) fill(map, regions);
    for (std::size_t which = 0; which < durations.size(); ++which) set_transfers(which, *durations[which]);
}

/// No task changes streams that no task uses. Streams that few tasks use come first, because most tasks leave
/// them unchanged.
void AbreastPlayer::order_streams(AbreastOperators& regions) {
    std::array<std::uint32_t, 64> uses{};
    const auto use = [&uses](std::uint64_t streams) {
        for (; streams != 0; streams &= streams - 1)
            ++uses[static_cast<std::size_t>(std::countr_zero(streams))];
    };
    for_each_task_region([&](graph::RegionId region, std::uint32_t, std::uint32_t program, std::size_t) {
        use(regions.streams_of(region, program) | std::uint64_t{1} << graph::compute_stream.index());
    });
    if (graph_->message_stream) use(std::uint64_t{1} << graph_->message_stream->index());
    streams_.resize(graph_->streams.size());
    std::iota(streams_.begin(), streams_.end(), std::size_t{0});
    const auto idle = std::stable_partition(streams_.begin(), streams_.end(),
                                            [&uses](std::size_t stream) { return uses[stream] > 0; });
    used_ = static_cast<std::size_t>(idle - streams_.begin());
    std::stable_sort(streams_.begin(), idle,
                     [&uses](std::size_t a, std::size_t b) { return uses[a] < uses[b]; });
    compute_ = place_of(graph::compute_stream);
    places_.resize(streams_.size());
    for (std::size_t place = 0; place < streams_.size(); ++place) places_[streams_[place]] = place;
}

/// \param streams  streams that tasks use, as bits
std::size_t AbreastPlayer::first_changed(std::uint64_t streams) const {
    std::size_t place = 0;
    while ((streams >> streams_[place] & 1U) == 0) ++place;
    return place;
}

std::size_t AbreastPlayer::place_of(graph::StreamId stream) const {
    return static_cast<std::size_t>(std::find(streams_.begin(), streams_.end(), stream.index()) -
                                    streams_.begin());
}

/// All streams are free at 0.
void AbreastPlayer::make_room() {
    const std::size_t stages = graph_->schedule.stages;
    const std::size_t others = 2 * abreast + saved_a_pass_;
    stride_ = used_ * abreast + others;
    rows_.assign(stages * stride_, 0.0);
    idle_.assign(stages * (streams_.size() - used_) * abreast, 0.0);
    in_.resize(streams_.size() * abreast + others);
    out_.resize(in_.size());
    if (graph_->message_stream) queue_ = place_of(*graph_->message_stream);
}

void AbreastPlayer::lay_out(AbreastOperators& regions) {
    order_streams(regions);
    make_room();
    maps_.clear();
    numbers_.clear();
    map_of_slot_.assign(table_->slots(), none);
    task_maps_.assign(graph_->schedule.stages * program_->variants(), none);
    for_each_task_region(
        [&](graph::RegionId region, std::uint32_t stage, std::uint32_t program, std::size_t variant) {
            std::uint32_t& map = map_of_slot_[table_->slot(region, program)];
            if (map == none) map = add(region, program, true, regions);
            task_maps_[stage * program_->variants() + variant] = map;
        });
    updates_.clear();
    finishes_.clear();
    for (std::uint32_t program = 0; program < graph_->programs.size(); ++program) {
        updates_.push_back(add(graph_->programs[program].update, program, false, regions));
        finishes_.push_back(add(graph_->programs[program].finish, program, false, regions));
    }
}

std::uint32_t AbreastPlayer::add(graph::RegionId region, std::uint32_t program, bool of_task,
                                 AbreastOperators& regions) {
    const Operator rows = regions.of(region, program);
    const std::uint64_t compute = std::uint64_t{1} << graph::compute_stream.index();
    const std::size_t first = of_task ? first_changed(regions.streams_of(region, program) | compute) : 0;
    const std::size_t left_out = of_task ? first + streams_.size() - used_ : 0;
    maps_.push_back({region, program, of_task, first, rows.inputs - left_out, rows.outputs - left_out,
                     numbers_.size(), regions.streams_of(region, program)});
    numbers_.resize(numbers_.size() + maps_.back().inputs * maps_.back().outputs * abreast);
    return static_cast<std::uint32_t>(maps_.size() - 1);
}

/// Index of the region's input or output that is in place i of the map.
std::size_t AbreastPlayer::in_region(const Map& map, std::size_t i) const {
    const std::size_t streams = (map.of_task ? used_ : streams_.size()) - map.first;
    return i < streams ? streams_[map.first + i] : i - streams + streams_.size();
}

void AbreastPlayer::fill(const Map& map, AbreastOperators& regions) {
    const Operator& rows = regions.of(map.region, map.program);
    const double* const from = regions.pool().at(rows.offset);
    const std::size_t width = Abreast::width(rows.inputs);
    columns_.clear();
    for (std::size_t j = 0; j < map.inputs; ++j) columns_.push_back(in_region(map, j) * abreast);
    double* to = numbers_.data() + map.numbers;
    for (std::size_t i = 0; i < map.outputs; ++i) {
        const double* const row = from + in_region(map, i) * width;
        for (const std::size_t column : columns_) {
            copy_numbers(to, row + column, 1);
            to += abreast;
        }
    }
}

void AbreastPlayer::set_transfers(std::size_t which, const Durations& durations) {
    if (graph_->schedule.stages == 1) return;
    for (std::size_t end = 0; end < send_free_.size() / abreast; ++end) {
        const std::size_t at = end * abreast + which;
        forward_[at] = durations.forward[end].duration;
        forward_hold_[at] = durations.forward[end].hold;
        backward_[at] = durations.backward[end].duration;
        backward_hold_[at] = durations.backward[end].hold;
    }
}

void AbreastPlayer::play(AbreastLog* log) {
    const std::uint32_t stages = graph_->schedule.stages;
    log_ = log;
    for (std::uint32_t i = 0; i < stages; ++i) play_all_streams(i, updates_[graph_->program_of[i]]);
    played_steps_ = 0;
    if (log_ == nullptr) {
        play_beginning();
    } else {
        const std::size_t others = std::max(1 + table_->most_values(), streams_.size() - used_);
        log_->reset(stages, used_ + others, program_->slots());
        play_all_rounds(steps_->before_last_passes());
    }
    play_steps(steps_->before_last_passes(), steps_->steps().size());
    for (std::uint32_t i = 0; i < stages && log_ != nullptr; ++i) log_finish(i);
    meet();
    for (std::uint32_t i = 0; i < stages; ++i) play_all_streams(i, finishes_[graph_->program_of[i]]);
}

void AbreastPlayer::play_steps(std::size_t begin, std::size_t end) {
    if (log_ == nullptr) {
        play_each_step<false>(begin, end);
    } else {
        play_each_step<true>(begin, end);
    }
}

template <bool logs>
void AbreastPlayer::play_each_step(std::size_t begin, std::size_t end) {
    const std::span<const AbreastStep> steps = steps_->steps();
    played_steps_ += end - begin;
    for (std::size_t i = begin; i < end; ++i) {
        if (steps[i].kind == Step::Kind::task) {
            if constexpr (logs) log_task(steps[i]);
            play_task(steps[i]);
        } else if (steps[i].kind == Step::Kind::transfer) {
            std::array<double, abreast> ready{};
            if constexpr (logs) copy_numbers(ready.data(), message(steps[i].in), 1);
            play_transfer(steps[i]);
            if constexpr (logs) {
                const double* const durations = (steps[i].is_backward ? backward_ : forward_).data();
                log_->add_message(program_->steps()[i].in, ready.data(), message(steps[i].in),
                                  durations + steps[i].pass * abreast);
            }
        } else if (steps[i].kind == Step::Kind::pair) {
            play_pair(steps[i], steps[i + 1]);
        }
    }
}

/// The streams that tasks use, the boundary value, and saved values.
void AbreastPlayer::log_task(const AbreastStep& step) {
    const Map& played = map_of(step);
    double* const to = log_->add(step.stage);
    copy_numbers(to, row(step.stage), used_);
    copy_numbers(to + used_ * abreast, message(step.in), 1);
    copy_numbers(to + (used_ + 1) * abreast, saved(step.pass), played.inputs - (used_ - played.first) - 1);
}

/// All streams.
void AbreastPlayer::log_finish(std::uint32_t stage) {
    double* const to = log_->add(stage);
    copy_numbers(to, row(stage), used_);
    copy_numbers(to + used_ * abreast, idle(stage), streams_.size() - used_);
}

void AbreastPlayer::play_all_streams(std::uint32_t stage, std::uint32_t map) {
    const Map& played = maps_[map];
    const std::size_t others = streams_.size() - used_;
    copy_numbers(in_.data(), row(stage), used_);
    copy_numbers(in_.data() + used_ * abreast, idle(stage), others);
    apply_abreast(numbers_.data() + played.numbers, played.inputs, played.outputs, in_.data(), out_.data());
    copy_numbers(row(stage), out_.data(), used_);
    copy_numbers(idle(stage), out_.data() + used_ * abreast, others);
}

/// Like SchedulePlayer::finish.
void AbreastPlayer::meet() {
    const std::uint32_t last = graph_->schedule.stages - 1;
    const std::uint32_t pairs = graph::meeting_pairs(*graph_);
    meets_at_.resize(pairs * abreast);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        double* const ready = out_.data();
        std::fill_n(ready, abreast, absent);
        for (std::size_t place = 0; place < streams_.size(); ++place) {
            raise(ready, stream(i, place));
            raise(ready, stream(last - i, place));
        }
        const std::size_t meeting = place_of(graph::meeting_stream(*graph_));
        copy_numbers(meets_at_.data() + i * abreast, ready, 1);
        copy_numbers(stream(i, meeting), ready, 1);
        copy_numbers(stream(last - i, meeting), ready, 1);
    }
}

void AbreastPlayer::play_task(const AbreastStep& step) {
    const Map& played = map_of(step);
    const std::size_t streams = used_ - played.first;
    double* const changed = row(step.stage) + played.first * abreast;
    const TaskValues values{changed,
                            streams,
                            message(step.in),
                            message(step.out),
                            saved(step.pass),
                            played.inputs - streams - 1,
                            played.outputs - streams - 1};
    if (apply_task_abreast(numbers_.data() + played.numbers, values)) return;
    double* const in_behind = changed + streams * abreast;
    copy_numbers(in_behind, values.in, 1);
    copy_numbers(in_behind + abreast, values.saved, values.saved_in);
    double* const out = out_.data();
    apply_abreast(numbers_.data() + played.numbers, played.inputs, played.outputs, changed, out);
    copy_numbers(changed, out, streams);
    const double* const out_behind = out + streams * abreast;
    copy_numbers(values.out, out_behind, 1);
    copy_numbers(values.saved, out_behind + abreast, values.saved_out);
}

void AbreastPlayer::play_pair(const AbreastStep& step, const AbreastStep& second) {
    const Map& played = map_of(step);
    const std::size_t streams = used_ - played.first;
    double* const in = row(step.stage) + played.first * abreast;
    double* const in_behind = in + streams * abreast;
    copy_numbers(in_behind, message(step.in), 1);
    copy_numbers(in_behind + abreast, message(second.in), 1);
    copy_numbers(in_behind + 2 * abreast, saved(second.pass), played.inputs - streams - 2);
    double* const out = out_.data();
    apply_abreast(numbers_.data() + played.numbers, played.inputs, played.outputs, in, out);
    copy_numbers(in, out, streams);
    const double* const out_behind = out + streams * abreast;
    copy_numbers(message(step.out), out_behind, 1);
    copy_numbers(message(second.out), out_behind + abreast, 1);
    copy_numbers(saved(step.pass), out_behind + 2 * abreast, played.outputs - streams - 2);
}

void AbreastPlayer::play_transfer(const AbreastStep& step) {
    const std::size_t sender = step.pass * abreast;
    const double* const duration = (step.is_backward ? backward_ : forward_).data() + sender;
    const double* const hold = (step.is_backward ? backward_hold_ : forward_hold_).data() + sender;
    const bool queues = graph_->message_stream.has_value();
    double* const send = queues ? stream(step.stage, queue_) : send_free_.data() + sender;
    double* const receive = queues ? send : receive_free_.data() + step.out * abreast;
    // A message blocks its sender in all evaluations or in none.
    double* const compute = hold[0] != 0 ? stream(step.stage, compute_) : nullptr;
    send_abreast(send, receive, message(step.in), compute, duration, hold);
}

double AbreastPlayer::meets_at(std::uint32_t stage, std::size_t which) const {
    const std::size_t pair = std::min(stage, graph_->schedule.stages - 1 - stage);
    return pair * abreast < meets_at_.size() ? meets_at_[pair * abreast + which] : 0.0;
}

double AbreastPlayer::last_stream(std::uint32_t stage, std::size_t which) const {
    double last = absent;
    for (std::size_t place = 0; place < streams_.size(); ++place)
        last = later(last, stream(stage, place)[which]);
    for (std::size_t end = stage; end < send_free_.size() / abreast; end += graph_->schedule.stages) {
        const std::size_t at = end * abreast + which;
        last = later(last, later(send_free_[at], receive_free_[at]));
    }
    return last;
}

}  // namespace dse::sim::fold
