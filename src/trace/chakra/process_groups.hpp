#pragma once

#include <string_view>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::chakra {

/// The name, or part of the name, of the node that declares PyTorch's process groups.
inline constexpr std::string_view process_group_node = "process_group:init";

/// Parses the argument of such a node: a JSON list of objects with pg_name and ranks, as it is or inside the
/// brackets and quotes of Python's list of strings.
/// \param groups  the groups are appended
/// \return false if the text is malformed
bool read_process_groups(std::string_view values, std::vector<ProcessGroup>& groups);

}  // namespace dse::trace::chakra
