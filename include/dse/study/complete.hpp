#pragma once

#include "dse/study/draft.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::study {

/// Holds a sweep against what its models and programs are.
/// \throws InputError with every error of every file, each with its place
Sweep complete(Draft draft, const WorkloadFacts& facts);

}  // namespace dse::study
