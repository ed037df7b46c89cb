#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// Finds the longest run of rounds that consist of the same steps with shifted numbers.
/// \param marks       indices of steps: the start of each round of the schedule, and the end of the last one
/// \param first_slot  as in ScheduleProgram
/// \param steady      filled; has 0 rounds if there is no such run
void find_steady_rounds(const graph::PipelineSchedule& schedule, std::span<const Step> steps,
                        std::span<const std::uint32_t> marks, std::span<const std::uint32_t> first_slot,
                        SteadyRounds& steady);

}  // namespace dse::sim::fold
