#pragma once

#include <span>
#include <vector>

#include "dse/sim/fold/schedule_program.hpp"

namespace dse::sim::fold {

/// Finds runs that are long enough to skip rounds of them.
/// \param runs  filled, in the order of the steps
void find_step_runs(std::span<const Step> steps, std::vector<StepRun>& runs);

}  // namespace dse::sim::fold
