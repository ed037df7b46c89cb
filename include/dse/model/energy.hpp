#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/precision.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// Activity of the average device of a job during an iteration.
struct Activity {
    Seconds duration;
    Flop flop;     ///< executed on the matrix units
    Bytes memory;  ///< device memory read and written
    Bytes sent;    ///< to other devices, over either network
    /// Predominant format of the work.
    graph::Precision precision{graph::Precision::bf16};
};

/// Mean power of one device of which only the power limit is known:
///
///     tdp · (active + (1 - active) · flop / sustained + memory · bytes / bandwidth) + bytes sent
///
/// at most the tdp, with the medians of the five chips whose components are known
/// (hardware/energy/components.yaml; A100, H100, B200, GB200, TPU v4): active 0.38 of the tdp (0.29 to 0.54),
/// memory 0.70 at full bandwidth (0.21 to 0.86). A large product runs at the power limit, so that operations
/// at the sustained rate draw the rest. With these shares instead of their own, the servers of `dse validate`
/// on H100 and B200 draw 4 % less than measured (median; 17 % of error). \param activity  with a duration
/// above 0 \returns NaN if the device has no tdp \throws ModelError if the device does not support the
/// precision
Watts power_by_limit(const hardware::DeviceSpec& device, const Activity& activity);

/// Power of a device that belongs to a job but does nothing.
Watts power_of_nothing(const hardware::PowerSpec& power);

/// Energy of one operation of the matrix units. For a format without a value of its own, the 16-bit value is
/// scaled by the ratio of peak rates, on the assumption that fully used units of a chip draw the same power.
JoulesPerFlop energy_of_operation(const hardware::DeviceSpec& device, graph::Precision precision);

/// Mean power of one device from the energy per operation, per byte of memory traffic and per byte sent, in
/// addition to the power of an active but idle device, and limited to the tdp if there is one.
Watts power_by_component(const hardware::DeviceSpec& device, const Activity& activity);

/// By component if the device has an energy per operation, else by its limit.
Watts device_power(const hardware::DeviceSpec& device, const Activity& activity);

/// Energy of an iteration of the whole job: devices, hosts, fabric, and data center (PUE). Each class of
/// devices has its own power, at the activity of the average device.
/// \returns NaN if the device has neither a tdp nor an energy per operation
Joules energy(const hardware::SystemSpec& system, const Activity& activity);

}  // namespace dse::model
