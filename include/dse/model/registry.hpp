#pragma once

#include <memory>

#include "dse/base/factory_table.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"

namespace dse::model {

/// How a compute model is made, and what is known of it without making one.
struct ComputeFactory {
    /// \param host_launch  CPU time to launch one kernel; 0 under CUDA graphs
    std::unique_ptr<ComputeModel> (*make)(const hardware::DeviceSpec& device, Seconds host_launch);
    /// No time falls when the device's latency of kernels rises, or rises when one of its rates does (peaks,
    /// sustained rates, bandwidth, efficiencies): searches obtain bounds from that. Models that look kernels
    /// up are not like that.
    bool is_monotonic{false};

    std::unique_ptr<ComputeModel> operator()(const hardware::DeviceSpec& device, Seconds host_launch) const {
        return make(device, host_launch);
    }
};

/// All compute models: the values of `fidelity: {compute: …}`.
const FactoryTable<ComputeFactory>& compute_models();

}  // namespace dse::model
