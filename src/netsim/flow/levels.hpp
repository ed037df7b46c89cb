#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/graph/mesh.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/netsim/flow/collective_plan.hpp"

namespace dse::netsim::flow {

/// The levels of a group of devices: dimensions, or domains and the fabric between them. A group that is
/// spread unevenly over these has a single level. \param devices  of the machine \param members  ascending,
/// distinct, at least two
std::vector<Level> levels_of(const hardware::NetworkSpec& network, std::int64_t devices,
                             std::span<const std::int64_t> members);

/// The same for the groups over some axes, which are all placed alike or have a single level each.
/// \param axes  with at least two members
std::vector<Level> levels_of(const hardware::NetworkSpec& network, const graph::Mesh& mesh,
                             graph::AxisSet axes);

}  // namespace dse::netsim::flow
