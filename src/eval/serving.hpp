#pragma once

#include "eval/stages/stages.hpp"

namespace dse::eval {

/// Evaluates inference: a prefill point is one pass over a batch of prompts; a decode point is a step of the
/// loop that serves a batch, plus the prefill of prompts that arrive meanwhile.
void evaluate_serving(const Job& job, Stages& stages, Evaluation& evaluation);

}  // namespace dse::eval
