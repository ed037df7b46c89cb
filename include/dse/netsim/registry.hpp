#pragma once

#include <memory>

#include "dse/base/factory_table.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::netsim {

using NetworkFactory = std::unique_ptr<model::NetworkModel> (*)(const hardware::NetworkSpec& network);

/// All network models, closed-form ones included: the values of `fidelity: {network: …}`.
const FactoryTable<NetworkFactory>& network_models();

}  // namespace dse::netsim
