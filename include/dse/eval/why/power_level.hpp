#pragma once

#include <optional>

#include "dse/graph/graph.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/sim/timeline.hpp"
#include "dse/sim/track.hpp"

namespace dse::eval {

/// Power in watts of one device of a stage over time: its idle power plus the energy of each kernel,
/// collective and outgoing message, spread evenly over its duration; at most the device's power limit. For
/// a collective, the whole buffer is counted.
/// \param unit  seconds per unit of the timeline's times
/// \returns nothing if the device does not state the energy per operation
std::optional<sim::Track> power_level(const sim::Timeline& timeline, const graph::Graph& graph,
                                      const hardware::DeviceSpec& device, double unit);

}  // namespace dse::eval
