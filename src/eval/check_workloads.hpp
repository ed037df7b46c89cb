#pragma once

#include "dse/study/draft.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::eval {

/// Reads every model, program and table of foreign costs that a sweep names. What is wrong with them, and
/// what is assumed of programs, goes to the draft's diagnostics.
study::WorkloadFacts check_workloads(study::Draft& draft);

}  // namespace dse::eval
