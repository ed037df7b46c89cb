#pragma once

#include <set>
#include <string>

#include "dse/hardware/system_spec.hpp"

namespace dse::hardware {

/// Paths of the files beside a system's YAML files that its predictions may read: measured kernels,
/// regression trees, and traces of collectives. Their content is no field of the system.
std::set<std::string> side_files(const SystemSpec& system);

}  // namespace dse::hardware
