#pragma once

#include <optional>

#include "dse/graph/graph.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/sim/timeline.hpp"
#include "dse/sim/track.hpp"

namespace dse::eval {

/// Watts that one device of a stage draws over time: what it draws while it does nothing, and the energy of
/// each kernel, collective and outgoing message, spread evenly over its time; at most the device's limit. A
/// collective counts with its whole buffer. \param unit  seconds for 1 of the timeline's time
/// \returns nothing where the device does not state the energy of an operation
std::optional<sim::Track> power_level(const sim::Timeline& timeline, const graph::Graph& graph,
                                      const hardware::DeviceSpec& device, double unit);

}  // namespace dse::eval
