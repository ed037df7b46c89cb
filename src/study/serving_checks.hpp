#pragma once

#include "dse/study/draft.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::study {

/// If all points serve requests: errors of fields that contradict each other in every point, and warnings of
/// fields that have no effect.
void check_serving(Draft& draft, const WorkloadFacts& facts);

}  // namespace dse::study
