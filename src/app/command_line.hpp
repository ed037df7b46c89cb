#pragma once

#include <string>
#include <vector>

namespace dse::app {

/// Runs dse with these arguments (without the program's name). Results go to stdout, everything else to
/// stderr. Never throws: errors are printed, once per job if several ranks have the same error.
/// \return the exit code (see ExitCode)
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace dse::app
