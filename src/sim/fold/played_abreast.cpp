#include "dse/sim/fold/played_abreast.hpp"

#include "dse/sim/fold/left_out.hpp"

namespace dse::sim::fold {

/// Streams that no task uses are free at the time at which the finish finds them.
void PlayedAbreast::read_task(std::uint32_t stage, std::size_t position, std::span<double> inputs) const {
    const Played played = played_task(program().steady(), log_->jumps(), stage, position);
    const double* const task = log_->task(stage, played.place);
    const double* const finish = log_->finish(stage);
    const double by = static_cast<double>(played.periods) * log_->shift()[which_];
    const std::span<const std::size_t> places = player_->places();
    const std::size_t used = player_->used_streams();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t place = i < places.size() ? places[i] : used + i - places.size();
        const bool is_idle = i < places.size() && place >= used;
        inputs[i] = (is_idle ? finish : task)[place * abreast + which_];
        if (played.periods > 0 && !is_idle && log_->moves(stage, place)) inputs[i] += by;
    }
}

Message PlayedAbreast::message(std::uint32_t sender, std::uint32_t slot) const {
    const Played played = played_message(program(), log_->jumps(), sender, slot);
    Message message = log_->message(played.place, which_);
    const double by = static_cast<double>(played.periods) * log_->shift()[which_];
    if (played.periods == 0) return message;
    message.ready += by;
    message.start += by;
    message.end += by;
    return message;
}

}  // namespace dse::sim::fold
