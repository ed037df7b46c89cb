#pragma once

#include "dse/base/units.hpp"
#include "dse/graph/precision.hpp"
#include "dse/hardware/system_spec.hpp"

namespace dse::model {

/// What the average device of a job did during an iteration.
struct Activity {
    Seconds duration;
    Flop flop;     ///< executed on the matrix units
    Bytes memory;  ///< device memory read and written
    Bytes sent;    ///< to other devices, by either network
    /// Format of most of the work.
    graph::Precision precision{graph::Precision::bf16};
};

/// Shares of the peak rates that an activity used, each in [0, 1].
struct Utilization {
    double compute{0.0};
    double memory{0.0};
    double network{0.0};
};

/// \param activity  of a duration above 0
/// \throws ModelError when the device has no unit for the precision
Utilization utilization(const Activity& activity, const hardware::DeviceSpec& device,
                        const hardware::NetworkSpec& network);

/// Mean power of one device by how busy its parts are:
///
///     idle + (tdp - idle) · (4·compute + 2·memory + network) / 7
///
/// With idle = 0.30·tdp, which is assumed where the device states none, these are the weights .30 + .40 + .20
/// + .10 of GenZ (abhibambhaniya/GenZ-LLM-Analyzer, power.py). \returns NaN where the device states no tdp
Watts power_by_utilization(const hardware::PowerSpec& power, const Utilization& busy);

/// Mean power of one device from the energy of each operation, byte of memory traffic and byte sent, on top
/// of idle power, capped at the tdp where one is stated.
Watts power_by_component(const hardware::PowerSpec& power, const Activity& activity);

/// Energy of an iteration of the whole job: devices, hosts, and the building (PUE). Each class of devices has
/// its own power, at the activity of the average device. Devices that state an
/// energy per operation go by component, the others by utilization. \returns NaN where the device states
/// neither
Joules energy(const hardware::SystemSpec& system, const Activity& activity);

}  // namespace dse::model
