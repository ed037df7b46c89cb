#pragma once

#include <memory>
#include <string>

#include "dse/frontend/workload_frontend.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// The folder that contains the file of a sweep.
std::string folder_of(const study::Sweep& sweep);

/// The frontend for the workloads of a sweep. Program files are first searched in the folder of the sweep.
std::unique_ptr<frontend::WorkloadFrontend> frontend_of(const study::Sweep& sweep);

}  // namespace dse::eval
