#pragma once

#include <memory>

#include "dse/base/factory_table.hpp"
#include "dse/hardware/network/network_spec.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::netsim {

/// How a network model is made, and what is known of it without making one.
struct NetworkFactory {
    std::unique_ptr<model::NetworkModel> (*make)(const hardware::NetworkSpec& network);
    /// No time falls when a latency or launch time of the network rises, or rises when a bandwidth, an
    /// efficiency or the overlap of phases does: from the best values of a box of points, searches obtain
    /// bounds. Models that choose algorithms by rules, or sort by load, are not like that.
    bool is_monotonic{false};

    std::unique_ptr<model::NetworkModel> operator()(const hardware::NetworkSpec& network) const {
        return make(network);
    }
};

/// All network models, closed-form ones included: the values of `fidelity: {network: …}`.
const FactoryTable<NetworkFactory>& network_models();

}  // namespace dse::netsim
