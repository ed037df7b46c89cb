#pragma once

#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"

namespace dse::config {

/// Whether a value is a table: text of several lines, as in `families: |`.
bool is_record_table(const Node& value);

/// The records of a table of comma-separated values under a heading, as maps. Blank fields are keys that are
/// not given. YAML parses a table with a tenth of the instructions that a list of maps takes.
/// \param diagnostics  rows that do not fit the heading, and text that is no table
std::vector<Node> record_table(const Node& table, Diagnostics& diagnostics);

}  // namespace dse::config
