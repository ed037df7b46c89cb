#pragma once

#include <string>

#include "dse/base/output_file.hpp"
#include "dse/eval/evaluation.hpp"

namespace dse::app {

/// Writes the course of a run of mode serving as CSV, one row per interval, times in seconds.
/// \throws InputError if there is none, or the file cannot be written
void write_series(const std::string& path, Existing existing, const eval::Evaluation& evaluation);

}  // namespace dse::app
