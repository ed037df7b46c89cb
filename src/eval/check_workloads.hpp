#pragma once

#include "dse/study/draft.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::eval {

/// Reads all models, programs, tables of foreign costs, workload families and request traces that a sweep
/// names. Errors, and assumptions about programs, are reported to the draft's diagnostics.
study::WorkloadFacts check_workloads(study::Draft& draft);

}  // namespace dse::eval
