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

/// Shares of the peak rates used by an activity, each in [0, 1].
struct Utilization {
    double compute{0.0};
    double memory{0.0};
    double network{0.0};
};

/// \param activity  with a duration above 0
/// \throws ModelError if the device does not support the precision
Utilization utilization(const Activity& activity, const hardware::DeviceSpec& device,
                        const hardware::NetworkSpec& network);

/// Mean power of one device from the utilization of its parts:
///
///     idle + (tdp - idle) · (4·compute + 2·memory + network) / 7
///
/// With idle = 0.30·tdp, the assumption if the device has no idle power, these are the weights .30 + .40 +
/// .20 + .10 of GenZ (abhibambhaniya/GenZ-LLM-Analyzer, power.py). \returns NaN if the device has no tdp
Watts power_by_utilization(const hardware::PowerSpec& power, const Utilization& busy);

/// Power of a device that belongs to a job but does nothing.
Watts power_of_nothing(const hardware::PowerSpec& power);

/// Energy of one operation of the matrix units. For a format without a value of its own, the 16-bit value is
/// scaled by the ratio of peak rates, on the assumption that fully used units of a chip draw the same power.
JoulesPerFlop energy_of_operation(const hardware::DeviceSpec& device, graph::Precision precision);

/// Mean power of one device from the energy per operation, per byte of memory traffic and per byte sent, in
/// addition to the power of an active but idle device, and limited to the tdp if there is one.
Watts power_by_component(const hardware::DeviceSpec& device, const Activity& activity);

/// By component if the device has an energy per operation, else by utilization.
Watts device_power(const hardware::DeviceSpec& device, const hardware::NetworkSpec& network,
                   const Activity& activity);

/// Energy of an iteration of the whole job: devices, hosts, fabric, and data center (PUE). Each class of
/// devices has its own power, at the activity of the average device.
/// \returns NaN if the device has neither a tdp nor an energy per operation
Joules energy(const hardware::SystemSpec& system, const Activity& activity);

}  // namespace dse::model
