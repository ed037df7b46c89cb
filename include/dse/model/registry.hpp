#pragma once

#include <memory>

#include "dse/base/factory_table.hpp"
#include "dse/hardware/device/device_spec.hpp"
#include "dse/model/compute/compute_model.hpp"

namespace dse::model {

/// \param host_launch  CPU time to launch one kernel; 0 under CUDA graphs
using ComputeFactory = std::unique_ptr<ComputeModel> (*)(const hardware::DeviceSpec& device,
                                                         Seconds host_launch);

/// All compute models: the values of `fidelity: {compute: …}`.
const FactoryTable<ComputeFactory>& compute_models();

}  // namespace dse::model
