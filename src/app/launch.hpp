#pragma once

#include <string>

namespace dse::app {

/// The rank that a launcher (mpirun, srun) assigned to this process, available before MPI is initialized; 0
/// without a launcher. All ranks parse the same arguments, so only rank 0 reports errors in them.
int launch_rank();

/// Prints "dse: <text>" to stderr, on rank 0 only.
void print_error(const std::string& text);

}  // namespace dse::app
