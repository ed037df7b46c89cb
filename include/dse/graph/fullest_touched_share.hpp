#pragma once

#include "dse/graph/routing.hpp"

namespace dse::graph {

/// Expected share of its own experts that some token chooses, on the device of a layer's group where that
/// share is largest: the others wait for it. With touched_share p of all experts and e experts a device,
/// counts on n devices are taken as normal, with mean e·p and variance e·p·(1 - p) (popular experts lie
/// anywhere), so that their maximum is e·p + √(e·p·(1 - p)) · E[max of n normals]; at most 1, and p for a
/// single device.
/// \param tokens  of the group, >= 0, not necessarily an integer
double fullest_touched_share(const Routing& routing, const RoutedLayer& layer, double tokens);

}  // namespace dse::graph
