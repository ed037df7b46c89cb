#pragma once

#include "dse/study/draft.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::study {

/// Checks a sweep against the facts of its models and programs.
/// \throws InputError with all errors of all files, each with its location
Sweep complete(Draft draft, const WorkloadFacts& facts);

}  // namespace dse::study
