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

/// Of a device that is in a job and does nothing.
Watts power_of_nothing(const hardware::PowerSpec& power);

/// Energy of one operation of the matrix units. A format without a figure of its own takes that of 16 bits by
/// the ratio of the peak rates: units of one chip draw alike when they are full.
JoulesPerFlop energy_of_operation(const hardware::DeviceSpec& device, graph::Precision precision);

/// Mean power of one device from the energy of each operation, byte of memory traffic and byte sent, on top
/// of the power of an active device that does nothing, capped at the tdp where one is stated.
Watts power_by_component(const hardware::DeviceSpec& device, const Activity& activity);

/// By component where the device states an energy per operation, else by utilization.
Watts device_power(const hardware::DeviceSpec& device, const hardware::NetworkSpec& network,
                   const Activity& activity);

/// Energy of an iteration of the whole job: devices, hosts, fabric, and the building (PUE). Each class of
/// devices has its own power, at the activity of the average device. \returns NaN where the device states
/// neither its tdp nor the energy of an operation
Joules energy(const hardware::SystemSpec& system, const Activity& activity);

}  // namespace dse::model
