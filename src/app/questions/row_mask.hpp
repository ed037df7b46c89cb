#pragma once

#include <string>
#include <vector>

#include "dse/results/results_reader.hpp"

namespace dse::app {

/// Which rows of a file fulfil conditions: '1' or '0' for each, in their order. A row without an answer is
/// held against those conditions alone that name no metric. \throws InputError for a text that is no
/// condition on these rows
std::string row_mask(results::ResultsReader& reader, const std::vector<std::string>& where);

}  // namespace dse::app
