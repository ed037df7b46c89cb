#pragma once

#include <string>
#include <vector>

#include "dse/study/sweep.hpp"

namespace dse::study {

/// Names of the model files that points may use: the labels of the axis, or the one of the base scenario;
/// empty if there is none.
std::vector<std::string> model_names(const Sweep& sweep);

/// The same for compilers' programs (WorkloadSpec::ir).
std::vector<std::string> program_names(const Sweep& sweep);
/// The same for families of workloads (WorkloadSpec::synthetic).
std::vector<std::string> family_names(const Sweep& sweep);
/// The same for cost tables of foreign calls (WorkloadSpec::foreign_costs).
std::vector<std::string> foreign_cost_names(const Sweep& sweep);

/// The same for traces of requests (Traffic::trace).
std::vector<std::string> trace_names(const Sweep& sweep);

}  // namespace dse::study
