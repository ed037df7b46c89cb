#pragma once

#include <string>
#include <vector>

#include "app/reference/command_reference.hpp"

namespace dse::app {

/// A manual page in roff (man macros), for `man dse-pareto`.
std::string man_page(const CommandReference& command);

/// The page that names all others, for `man dse`.
std::string man_page_of_all(const std::vector<CommandReference>& commands);

/// "dse-pareto", "dse-et-check": what its page is called.
std::string page_name(const CommandReference& command);

}  // namespace dse::app
