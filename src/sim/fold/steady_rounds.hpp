#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// Finds the longest stretch of rounds that are the same steps shifted.
/// \param marks       indices of steps: where the schedule's rounds begin, and where the last one ends
/// \param first_slot  by sending stage
/// \param steady      filled; no rounds where there is no such stretch
void find_steady_rounds(const graph::PipelineSchedule& schedule, std::span<const Step> steps,
                        std::span<const std::uint32_t> marks, std::span<const std::uint32_t> first_slot,
                        SteadyRounds& steady);

}  // namespace dse::sim::fold
