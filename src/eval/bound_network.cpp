#include "eval/bound_network.hpp"

#include <algorithm>
#include <utility>

#include "dse/base/check.hpp"

namespace dse::eval {

LeastNetwork::LeastNetwork(std::vector<std::unique_ptr<model::NetworkModel>> networks)
    : NetworkModel{networks.at(0)->traits()}, networks_{std::move(networks)} {
    DSE_EXPECT(std::all_of(networks_.begin(), networks_.end(),
                           [&](const auto& network) { return network->traits() == traits(); }));
}

Seconds LeastNetwork::time(const model::Communication& what) const {
    Seconds least = networks_.front()->time(what);
    for (std::size_t i = 1; i < networks_.size(); ++i) least = std::min(least, networks_[i]->time(what));
    return least;
}

}  // namespace dse::eval
