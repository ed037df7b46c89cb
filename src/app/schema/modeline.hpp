#pragma once

#include <string>

#include "dse/config/library.hpp"

namespace dse::app {

/// A first line that lets editors with a YAML language server complete and check a file; empty if the data
/// folders have no schema of this kind.
/// \param kind  one of schema_kinds()
std::string modeline(const std::string& kind, const config::Library& library);

}  // namespace dse::app
