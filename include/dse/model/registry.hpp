#pragma once

#include <memory>

#include "dse/base/factory_table.hpp"
#include "dse/hardware/device_spec.hpp"
#include "dse/hardware/network_spec.hpp"
#include "dse/model/compute/compute_model.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::model {

/// \param host_launch  CPU time to launch one kernel; 0 under CUDA graphs
using ComputeFactory = std::unique_ptr<ComputeModel> (*)(const hardware::DeviceSpec& device,
                                                         Seconds host_launch);
using NetworkFactory = std::unique_ptr<NetworkModel> (*)(const hardware::NetworkSpec& network);

/// Every model of operators: the names of `fidelity: {compute: …}`.
const FactoryTable<ComputeFactory>& compute_models();

/// Every model of communication: the names of `fidelity: {network: …}`.
const FactoryTable<NetworkFactory>& network_models();

}  // namespace dse::model
