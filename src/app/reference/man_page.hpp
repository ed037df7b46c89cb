#pragma once

#include <string>
#include <vector>

#include "app/reference/command_reference.hpp"

namespace dse::app {

/// A manual page in roff (man macros), for `man dse-pareto`.
std::string man_page(const CommandReference& command);

/// The page that lists all others, for `man dse`.
std::string man_page_of_all(const std::vector<CommandReference>& commands);

/// Name of a command's page: "dse-pareto", "dse-et-check".
std::string page_name(const CommandReference& command);

}  // namespace dse::app
