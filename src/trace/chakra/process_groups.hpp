#pragma once

#include <string_view>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// The name, or a part of it, of the node that declares PyTorch's process groups.
inline constexpr std::string_view process_group_node = "process_group:init";

/// Reads what such a node has as its argument: a JSON list of objects with pg_name and ranks, as it is or
/// within the brackets and quotes of Python's list of texts. \param groups  those that are there are added to
/// it \return false where the text is none
bool read_process_groups(std::string_view values, std::vector<ProcessGroup>& groups);

}  // namespace dse::trace::chakra
