#pragma once

#include "eval/stages/stages.hpp"

namespace dse::eval {

/// Simulates one step of a loop in steady state, or the whole workload if it is not a loop.
sim::Result play_step(const Job& job, const sim::Durations& durations, Stages& stages);

}  // namespace dse::eval
