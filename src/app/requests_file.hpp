#pragma once

#include <string>

#include "dse/base/output_file.hpp"
#include "dse/eval/evaluation.hpp"

namespace dse::app {

/// Writes the requests of a point of mode serving as CSV, by arrival (docs/serving.md).
/// \throws InputError if there are none, or too many were answered to keep them
void write_requests(const std::string& path, Existing existing, const eval::Evaluation& evaluation);

}  // namespace dse::app
