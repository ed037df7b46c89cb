#pragma once

#include <memory>
#include <string>

#include "dse/frontend/workload_frontend.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Where the file of a sweep lies.
std::string folder_of(const study::Sweep& sweep);

/// Who builds the workloads of a sweep: the programs that it names are looked for beside its file first.
std::unique_ptr<frontend::WorkloadFrontend> frontend_of(const study::Sweep& sweep);

}  // namespace dse::eval
