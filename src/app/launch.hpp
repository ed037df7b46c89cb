#pragma once

#include <string>

namespace dse::app {

/// The rank that a launcher (mpirun, srun) gave this process, before MPI itself is asked; 0 without one.
/// All ranks parse the same arguments: what is wrong with them is said by rank 0 alone.
int launch_rank();

/// "dse: <text>" on stderr; silent on all ranks but 0.
void print_error(const std::string& text);

}  // namespace dse::app
