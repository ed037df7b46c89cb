#include "dse/sim/fold/message_view.hpp"

#include "dse/sim/fold/left_out.hpp"

namespace dse::sim::fold {

Message MessageView::at(std::uint32_t sender, std::uint32_t slot) const {
    const Played played = played_message(player_->program(), jump_->jumps(), sender, slot);
    Message message = player_->state().message(played.place);
    if (played.jump == nullptr) return message;
    const auto periods = static_cast<double>(played.periods);
    const Message rate = jump_->rate_of(*played.jump, played.place);
    message.ready += periods * rate.ready;
    message.start += periods * rate.start;
    message.end += periods * rate.end;
    return message;
}

bool MessageView::messages_grow_by(double rate, const Jump& jump, std::uint32_t stage) const {
    if (jump.shift) return rate == *jump.shift;
    const SchedulePlayer& player = *player_;
    const SteadyRounds& steady = player.program().steady();
    const std::size_t stages = steady.first_task.size();
    for (std::size_t lane_end = stage; lane_end < steady.settled.size(); lane_end += stages) {
        const auto sender = static_cast<std::uint32_t>(lane_end);
        const std::uint32_t end = settled_at(player.program(), sender, jump.begin + jump.rounds);
        for (std::uint32_t slot = settled_at(player.program(), sender, jump.begin); slot < end; ++slot) {
            const Message grows = jump_->rate_of(jump, slot);
            if (grows.ready != rate || grows.start != rate) return false;
        }
    }
    const std::uint32_t first = steady.first_task[stage] + jump.begin * steady.tasks_a_round;
    for (std::uint32_t t = 0; t < jump.rounds * steady.tasks_a_round; ++t) {
        const std::uint32_t slot = player.program().incoming(stage, first + t);
        if (slot != no_value && jump_->rate_of(jump, slot).end != rate) return false;
    }
    return true;
}

/// The messages from all stages' ends of a lane have adjacent slots.
std::uint32_t MessageView::received(const Passage& passage, std::uint32_t stage, std::size_t lane) const {
    const ScheduleProgram& program = player_->program();
    const std::size_t stages = program.steady().first_task.size();
    const std::uint32_t begin = program.first_slot(static_cast<std::uint32_t>(lane * stages));
    const std::uint32_t end = program.first_slot(static_cast<std::uint32_t>((lane + 1) * stages));
    std::uint32_t count = 0;
    for (std::uint32_t t = passage.position - passage.tasks; t < passage.position; ++t) {
        const std::uint32_t slot = program.incoming(stage, t);
        if (slot >= begin && slot < end) ++count;
    }
    return count;
}

MessageView::Passage MessageView::passage(const Jump& jump, std::uint32_t stage) const {
    const SteadyRounds& steady = player_->program().steady();
    Passage passage;
    passage.tasks = jump.rounds * steady.tasks_a_round;
    passage.position = steady.first_task[stage] + jump.begin * steady.tasks_a_round + passage.tasks;
    const std::size_t stages = steady.first_task.size();
    for (std::size_t lane = 0; lane * stages < steady.settled.size(); ++lane) {
        passage.sent[lane] = jump.rounds * steady.sent_a_round[lane * stages + stage];
        passage.received[lane] = received(passage, stage, lane);
    }
    passage.microbatches = jump.rounds * steady.microbatches_a_round;
    passage.periods = jump.periods;
    const std::span<const double> rates = jump_->stream_rates(jump, stage);
    passage.rate = rates[graph::compute_stream.index()];
    passage.is_uniform = messages_grow_by(passage.rate, jump, stage);
    for (std::size_t s = 0; s < rates.size(); ++s) {
        if (rates[s] == passage.rate) passage.moving |= std::uint64_t{1} << s;
        if (rates[s] != passage.rate && rates[s] != 0) passage.is_uniform = false;
    }
    return passage;
}

}  // namespace dse::sim::fold
