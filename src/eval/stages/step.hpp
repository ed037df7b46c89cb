#pragma once

#include "eval/stages/stages.hpp"

namespace dse::eval {

/// One step of a loop that is steady; all of a workload that is no loop.
sim::Result play_step(const Job& job, const sim::Durations& durations, Stages& stages);

}  // namespace dse::eval
