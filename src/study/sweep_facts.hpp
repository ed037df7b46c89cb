#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/study/sweep.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::study {

/// What decides the rows of a sweep with a space, key by key; see Sweep::facts. Files that an axis names and
/// that cannot be read go to the diagnostics.
/// \param workloads  digests of programs and tables of foreign costs
std::vector<std::pair<std::string, std::string>> facts_of(const Sweep& sweep, const WorkloadFacts& workloads,
                                                          config::Diagnostics& diagnostics);

}  // namespace dse::study
