// The state of AbreastPlayer at marks and checkpoints.

#include "dse/sim/fold/abreast_player.hpp"
#include "dse/sim/fold/max_plus.hpp"

namespace dse::sim::fold {

/// Visits the numbers that later steps may read: visit(numbers, count in each evaluation).
/// \param live  where values are that later steps read
template <class Visit>
void AbreastPlayer::visit_state(std::span<const LivePlace> live, Visit visit) {
    for (std::uint32_t stage = 0; stage < graph_->schedule.stages; ++stage) visit(row(stage), used_);
    visit(send_free_.data(), send_free_.size() / abreast);
    visit(receive_free_.data(), receive_free_.size() / abreast);
    const std::size_t a_chunk = variants_a_chunk(graph_->schedule);
    for (const LivePlace& value : live) {
        if (!value.is_saved) {
            visit(message(value.place), 1);
            continue;
        }
        const Map& reader = maps_[task_maps_[value.stage * program_->variants() + value.variant]];
        const std::size_t boundaries = value.variant % a_chunk + 1 == graph::regions_a_chunk ? 2 : 1;
        visit(saved(value.place), reader.inputs - (used_ - reader.first) - boundaries);
    }
}

/// Appends the state.
void AbreastPlayer::gather(std::span<const LivePlace> live, std::vector<double>& numbers) {
    visit_state(live, [&numbers](const double* from, std::size_t count) {
        numbers.insert(numbers.end(), from, from + count * abreast);
    });
}

std::size_t AbreastPlayer::state_size(std::span<const LivePlace> live) {
    std::size_t size = 0;
    visit_state(live, [&size](const double*, std::size_t count) { size += count * abreast; });
    return size;
}

/// Sets what moves in the state to other numbers, each later by one time. Values that are live all move.
void AbreastPlayer::shift_state(std::span<const LivePlace> live, const double* from,
                                const std::array<double, abreast>& by) {
    const std::size_t free = used_ * graph_->schedule.stages + 2 * send_free_.size() / abreast;
    std::size_t number = 0;
    visit_state(live, [&](double* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, ++number, to += abreast, from += abreast) {
            if (number < free && moving_[number] == 0) continue;
            for (std::size_t k = 0; k < abreast; ++k) to[k] = from[k] + by[k];
        }
    });
}

/// \param uses     whether later tasks of a stage use a variant
/// \param numbers  of the whole state. Values that are live all move.
template <class Uses>
void AbreastPlayer::find_moving(Uses uses, std::span<const std::uint8_t> sends,
                                std::span<const std::uint8_t> receives, std::size_t numbers) {
    const bool has_lanes = !graph_->message_stream;
    moving_.clear();
    for (std::uint32_t stage = 0; stage < graph_->schedule.stages; ++stage) {
        std::uint64_t streams = std::uint64_t{1} << graph::compute_stream.index();
        if (!has_lanes) streams |= std::uint64_t{1} << graph_->message_stream->index();
        for (std::size_t variant = 0; variant < program_->variants(); ++variant) {
            const std::uint32_t map = task_maps_[stage * program_->variants() + variant];
            if (map != none && uses(stage, variant)) streams |= maps_[map].uses;
        }
        for (std::size_t place = 0; place < used_; ++place)
            moving_.push_back(static_cast<std::uint8_t>(streams >> streams_[place] & 1U));
    }
    for (const auto& lane_ends : {sends, receives}) {
        for (const std::uint8_t moves : lane_ends) moving_.push_back(has_lanes ? moves : 0);
    }
    moving_.resize(numbers, 1);
}

void AbreastPlayer::find_moving_after(const AbreastCheckpoint& checkpoint, std::size_t numbers) {
    const auto uses = [&](std::uint32_t stage, std::size_t variant) {
        return checkpoint.uses[stage * program_->variants() + variant] != 0;
    };
    find_moving(uses, checkpoint.sends, checkpoint.receives, numbers);
}

/// As fold::find_moving.
void AbreastPlayer::find_moving_in_rounds(std::size_t numbers) {
    const SteadyRounds& steady = program_->steady();
    const std::size_t a_chunk = variants_a_chunk(graph_->schedule);
    const auto of_lane_ends = [this](const std::vector<std::uint32_t>& messages) {
        std::vector<std::uint8_t> moves(send_free_.size() / abreast);
        for (std::size_t end = 0; end < moves.size(); ++end) moves[end] = messages[end] > 0 ? 1 : 0;
        return moves;
    };
    const auto uses = [a_chunk](std::uint32_t, std::size_t variant) { return variant % a_chunk % 2 == 0; };
    find_moving(uses, of_lane_ends(steady.sent_a_round), of_lane_ends(steady.received_a_round), numbers);
}

/// Sets shift_ if, in each evaluation, all numbers that move differ by one time.
bool AbreastPlayer::find_shift(const double* before, const double* now, std::size_t numbers) {
    const std::size_t compute = compute_ * abreast;  // of the first stage
    for (std::size_t k = 0; k < abreast; ++k) shift_[k] = now[compute + k] - before[compute + k];
    return are_shifted_abreast(before, now, moving_.data(), numbers, shift_.data());
}

}  // namespace dse::sim::fold
