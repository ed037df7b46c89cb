#pragma once

#include <string>
#include <vector>

#include "dse/base/error.hpp"

namespace dse::app {

/// Runs Python with the package dse_analysis on its path and waits for it. The interpreter is the first one
/// that has the packages, of: $DSE_PYTHON, the environment that ./dev creates, python3 on the PATH,
/// /usr/bin/python3.
/// \param packages   packages that it must be able to import
/// \param arguments  arguments of the interpreter
/// \return ok, or bad_input if Python reported an error
/// \throws InputError if no interpreter has the packages, or if dse_analysis is missing
ExitCode run_python(const std::vector<std::string>& packages, const std::vector<std::string>& arguments);

}  // namespace dse::app
