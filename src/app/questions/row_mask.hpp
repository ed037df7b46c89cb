#pragma once

#include <string>
#include <vector>

#include "dse/results/results_reader.hpp"

namespace dse::app {

/// Which rows of a file meet conditions: '1' or '0' for each row, in order. Rows without an answer are tested
/// only against conditions that use no metric.
/// \throws InputError if a text is not a condition on these rows
std::string row_mask(results::ResultsReader& reader, const std::vector<std::string>& where);

}  // namespace dse::app
