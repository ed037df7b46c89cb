// How AbreastPlayer skips steps whose results follow from others.

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "dse/sim/fold/abreast_player.hpp"

namespace dse::sim::fold {
namespace {

/// Fewer steps take no longer than the search for an earlier simulation.
constexpr std::size_t least_steps_abreast = 64;
/// Rounds after which a state that has not settled is no longer compared: stages that run ahead of the others
/// may do so for long.
constexpr std::uint32_t most_marks_compared = 12;

}  // namespace

/// Simulates the steps before the last passes, or continues from where they led in an earlier simulation.
void AbreastPlayer::play_beginning() {
    if (steps_->before_last_passes() < least_steps_abreast)
        return play_all_rounds(steps_->before_last_passes());
    read_beginning();
    states_.clear();
    play_to_checkpoints(beginnings_.find(beginning_));
}

/// \param known  of a simulation that differs in nothing but its first passes and when streams were free at
///               its start: their numbers, then its states
void AbreastPlayer::play_to_checkpoints(const AbreastBeginnings::Numbers* known) {
    const std::span<const AbreastCheckpoint> checkpoints = steps_->checkpoints();
    const AbreastCheckpoint& last = checkpoints.back();
    add_first_passes(states_);
    const bool first_differ =
        known == nullptr || std::memcmp(known->data(), states_.data(), states_.size() * sizeof(double)) != 0;
    std::size_t step = 0;
    for (const AbreastCheckpoint& checkpoint : checkpoints.first(checkpoints.size() - 1)) {
        play_steps(step, checkpoint.step);
        step = checkpoint.step;
        const std::size_t begin = states_.size();
        gather(checkpoint.live, states_);
        if (known == nullptr || (first_differ && checkpoint.has_first_passes)) continue;
        const std::size_t count = (states_.size() - begin) / abreast;
        find_moving_after(checkpoint, count);
        if (!find_shift(known->data() + begin, states_.data() + begin, count)) continue;
        shift_state(last.live, known->data() + known->size() - state_size(last.live), shift_);
        return;
    }
    if (program_->steady().rounds > 0) {
        play_from_first_round(last.step);
    } else {
        play_steps(step, last.step);
    }
    gather(last.live, states_);
    beginnings_.add(beginning_).swap(states_);
}

/// Writes everything that the state before the last passes depends on, except for the first passes and when
/// streams are free.
void AbreastPlayer::read_beginning() {
    beginning_.clear();
    const auto add_number = [this](auto number) {
        beginning_.push_back(std::bit_cast<double>(std::uint64_t{number}));
    };
    const std::size_t queue = graph_->message_stream ? queue_ : streams_.size();
    for (const std::size_t number : {std::size_t{number_}, used_, stride_, compute_, queue, saved_a_pass_})
        add_number(number);
    for (const std::vector<double>* numbers : {&forward_, &forward_hold_, &backward_, &backward_hold_})
        beginning_.insert(beginning_.end(), numbers->begin(), numbers->end());
    const std::size_t a_chunk = variants_a_chunk(graph_->schedule);
    add_maps(beginning_, [a_chunk](std::size_t variant) {
        return variant % a_chunk != 1 && !is_of_last_pass(variant, a_chunk);
    });
}

void AbreastPlayer::add_first_passes(std::vector<double>& numbers) {
    const std::size_t a_chunk = variants_a_chunk(graph_->schedule);
    add_maps(numbers, [a_chunk](std::size_t variant) { return variant % a_chunk == 1; });
}

/// Adds the numbers of the maps of some variants, and which tasks have them.
template <class Chosen>
void AbreastPlayer::add_maps(std::vector<double>& numbers, Chosen chosen) {
    const auto add_number = [&numbers](auto number) {
        numbers.push_back(std::bit_cast<double>(std::uint64_t{number}));
    };
    std::vector<std::uint8_t>& is_written = is_in_beginning_;
    is_written.assign(maps_.size(), 0);
    for (std::size_t task = 0; task < task_maps_.size(); ++task) {
        const std::uint32_t map = task_maps_[task];
        if (map == none || !chosen(task % program_->variants())) continue;
        add_number(map);
        if (std::exchange(is_written[map], std::uint8_t{1}) != 0) continue;
        const Map& played = maps_[map];
        for (const std::size_t number : {played.first, played.inputs, played.outputs}) add_number(number);
        add_number(played.uses);
        const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(played.numbers);
        const std::size_t count = played.inputs * played.outputs * abreast;
        numbers.insert(numbers.end(), first, first + static_cast<std::ptrdiff_t>(count));
    }
}

/// Simulates the steps before `end`, of the steady phase only as many rounds as are needed.
void AbreastPlayer::play_all_rounds(std::size_t end) {
    const SteadyRounds& steady = program_->steady();
    if (steady.rounds == 0) return play_steps(0, end);
    play_steps(0, steady.marks.front());
    play_from_first_round(end);
}

void AbreastPlayer::play_from_first_round(std::size_t end) {
    const SteadyRounds& steady = program_->steady();
    std::uint32_t mark = 0;
    while (mark < steady.rounds) {
        if (mark <= most_marks_compared && leave_out_rounds(mark)) {
            mark = steady.rounds;
        } else {
            play_steps(steady.marks[mark], steady.marks[mark + 1]);
            ++mark;
        }
    }
    play_steps(steady.marks[mark], end);
}

/// Skips the rounds that are left if the last one has shifted the state at its mark by one time.
bool AbreastPlayer::leave_out_rounds(std::uint32_t mark) {
    const SteadyRounds& steady = program_->steady();
    before_.swap(now_);
    now_.clear();
    gather(steps_->live_at(mark), now_);
    if (mark == 0) return false;
    const std::size_t numbers = now_.size() / abreast;
    if (mark == 1) find_moving_in_rounds(numbers);
    if (!find_shift(before_.data(), now_.data(), numbers)) return false;
    if (log_ != nullptr) {
        const std::span<const std::uint8_t> moving{moving_};
        log_->leave_out({mark - 1, 1, steady.rounds - mark, 0, {}}, shift_,
                        moving.first(used_ * graph_->schedule.stages), used_);
    }
    std::array<double, abreast> by{};
    for (std::size_t k = 0; k < abreast; ++k) by[k] = (steady.rounds - mark) * shift_[k];
    shift_state(steps_->live_at(steady.rounds), now_.data(), by);
    return true;
}

}  // namespace dse::sim::fold
