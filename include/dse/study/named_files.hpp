#pragma once

#include <string>
#include <vector>

#include "dse/study/sweep.hpp"

namespace dse::study {

/// The name of a file that a point may take the model from: the axis' labels, or the one of the base
/// scenario; empty where there is none.
std::vector<std::string> model_names(const Sweep& sweep);

/// The same of compilers' programs (WorkloadSpec::ir).
std::vector<std::string> program_names(const Sweep& sweep);
/// The same of families of workloads (WorkloadSpec::synthetic).
std::vector<std::string> family_names(const Sweep& sweep);
/// The same of tables of what their foreign calls take (WorkloadSpec::foreign_costs).
std::vector<std::string> foreign_cost_names(const Sweep& sweep);

/// The same of traces of requests (Traffic::trace).
std::vector<std::string> trace_names(const Sweep& sweep);

}  // namespace dse::study
