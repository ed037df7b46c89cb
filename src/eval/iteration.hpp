#pragma once

#include "eval/stages/stages.hpp"

namespace dse::eval {

/// Evaluates a training step, or one run of a compiler's program.
void evaluate_iteration(const Job& job, Stages& stages, Evaluation& evaluation);

}  // namespace dse::eval
