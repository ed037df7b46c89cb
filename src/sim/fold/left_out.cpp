#include "dse/sim/fold/left_out.hpp"

namespace dse::sim::fold {

Played played_task(const SteadyRounds& steady, std::span<const Jump> jumps, std::uint32_t stage,
                   std::size_t position) {
    std::size_t left_out = 0;
    for (const Jump& jump : jumps) {
        const std::size_t a_period = std::size_t{jump.rounds} * steady.tasks_a_round;
        const std::size_t begin =
            steady.first_task[stage] + std::size_t{jump.begin} * steady.tasks_a_round + a_period;
        if (position < begin) break;
        const std::size_t behind = position - begin;
        if (behind < jump.periods * a_period) {
            const std::size_t periods = behind / a_period + 1;
            return {position - periods * a_period - left_out, periods, &jump};
        }
        left_out += jump.periods * a_period;
    }
    return {position - left_out};
}

std::uint32_t settled_at(const ScheduleProgram& program, std::uint32_t sender, std::uint32_t mark) {
    const SteadyRounds& steady = program.steady();
    return program.first_slot(sender) + steady.settled[sender] + mark * steady.sent_a_round[sender];
}

Played played_message(const ScheduleProgram& program, std::span<const Jump> jumps, std::uint32_t sender,
                      std::uint32_t slot) {
    for (const Jump& jump : jumps) {
        const std::uint32_t played = jump.begin + jump.rounds;
        const std::uint32_t begin = settled_at(program, sender, played);
        if (slot < begin || slot >= settled_at(program, sender, played + jump.periods * jump.rounds))
            continue;
        const std::uint32_t a_period = begin - settled_at(program, sender, jump.begin);
        return {begin - a_period + (slot - begin) % a_period, std::size_t{(slot - begin) / a_period + 1},
                &jump};
    }
    return {slot};
}

}  // namespace dse::sim::fold
