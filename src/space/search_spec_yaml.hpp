#pragma once

#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/node.hpp"
#include "dse/space/axis.hpp"
#include "dse/space/sweep_spec.hpp"

namespace dse::space {

/// Reads the section `search`. All errors go to the diagnostics.
/// \param search  nullptr if there is none: a grid
/// \param axes    those of the sweep; a grid takes none without steps
SearchSpec read_search(const config::Node* search, const std::vector<Axis>& axes,
                       config::Diagnostics& diagnostics);

}  // namespace dse::space
