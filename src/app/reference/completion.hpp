#pragma once

#include <string>
#include <vector>

#include "app/reference/command_reference.hpp"

namespace dse::app {

/// Scripts that make a shell complete the arguments of `dse`.
std::string bash_completion(const std::vector<CommandReference>& commands);
std::string zsh_completion(const std::vector<CommandReference>& commands);
std::string fish_completion(const std::vector<CommandReference>& commands);

}  // namespace dse::app
