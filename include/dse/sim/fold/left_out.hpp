#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dse/sim/fold/period_jump.hpp"
#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// What was played in place of a task or message, of the last period before the jump that left it out.
struct Played {
    std::size_t place{0};
    std::size_t periods{0};     ///< so many periods before; 0: it was played itself
    const Jump* jump{nullptr};  ///< that left it out; nullptr: none
};

/// \param position  of a task in the list of its stage, or behind the last one
/// \return its place among the stage's tasks that were played
Played played_task(const SteadyRounds& steady, std::span<const Jump> jumps, std::uint32_t stage,
                   std::size_t position);

/// Number of messages from a lane end that were timed before a mark, as a slot.
std::uint32_t settled_at(const ScheduleProgram& program, std::uint32_t sender, std::uint32_t mark);

/// \param sender  lane end
/// \param slot    of one of its messages
/// \return place: its slot
Played played_message(const ScheduleProgram& program, std::span<const Jump> jumps, std::uint32_t sender,
                      std::uint32_t slot);

}  // namespace dse::sim::fold
