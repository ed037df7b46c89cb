#pragma once

#include <string>
#include <vector>

#include "dse/base/error.hpp"

namespace dse::app {

/// Runs Python with the package dse_analysis on its path, and waits for it. The interpreter: $DSE_PYTHON, the
/// environment that ./dev makes, python3 of the PATH, /usr/bin/python3; the first that has the packages.
/// \param packages   that it must be able to import
/// \param arguments  of the interpreter
/// \return ok, or bad_input where Python said what is wrong
/// \throws InputError when no interpreter has the packages, or there is no dse_analysis
ExitCode run_python(const std::vector<std::string>& packages, const std::vector<std::string>& arguments);

}  // namespace dse::app
