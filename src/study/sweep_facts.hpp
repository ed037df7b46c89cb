#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/study/sweep.hpp"
#include "dse/study/workload_facts.hpp"

namespace dse::study {

/// The facts that determine the rows of a sweep with a space, as key-value pairs; see Sweep::facts.
/// Unreadable files that an axis names are reported to the diagnostics.
/// \param workloads  digests of programs and tables of foreign costs
std::vector<std::pair<std::string, std::string>> facts_of(const Sweep& sweep, const WorkloadFacts& workloads,
                                                          config::Diagnostics& diagnostics);

}  // namespace dse::study
