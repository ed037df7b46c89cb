#pragma once

#include <cstdint>

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

struct NetworkSpec;

/// Cost of the network in addition to the rent of the devices. Each value is the rent of one device's share
/// at the line rate given with it, and scales with the bandwidth. 0, the default: the rent of the devices
/// covers it.
///
/// Domains are connected by a fat tree: a device has one port of a leaf switch and two ports of each further
/// tier of switches, reduced by oversubscription. Each port has an optical end.
struct NetworkPricesSpec {
    BytesPerSecond scale_out_rate;
    DollarsPerSecond nic;     ///< NIC with its end of the cable
    DollarsPerSecond port;    ///< port of a switch between domains
    DollarsPerSecond optics;  ///< optical end in such a port
    std::int64_t tiers{2};    ///< tiers of switches between domains

    BytesPerSecond scale_up_rate;
    DollarsPerSecond scale_up;  ///< links and switches of a domain of one node
    /// Additional rent for each doubling of the domain beyond a node: switches and the cables to them.
    DollarsPerSecond scale_up_doubling;
};

Problems problems_of(const NetworkPricesSpec& prices);

/// Rent of one device's share of a network.
/// \param devices_per_node  largest domain that needs no additional switches
DollarsPerSecond network_rent(const NetworkSpec& network, std::int64_t devices_per_node);

template <class Visitor>
void describe(Visitor& v, NetworkPricesSpec& prices) {
    v.optional("scale_out_rate", prices.scale_out_rate, config::not_negative,
               "bandwidth per device for which nic, port and optics are priced");
    v.optional("nic", prices.nic, config::not_negative, "rent of a device's NIC, with its end of the cable");
    v.optional("port", prices.port, config::not_negative, "rent of a port of a switch between domains");
    v.optional("optics", prices.optics, config::not_negative, "rent of an optical end in such a port");
    v.optional("tiers", prices.tiers, config::between(1, 5), "tiers of switches between domains");
    v.optional("scale_up_rate", prices.scale_up_rate, config::not_negative,
               "bandwidth per device for which scale_up and scale_up_doubling are priced");
    v.optional("scale_up", prices.scale_up, config::not_negative,
               "rent of a device's share of a domain of one node");
    v.optional("scale_up_doubling", prices.scale_up_doubling, config::not_negative,
               "additional rent for each doubling of the domain beyond a node");
    check_after_reading(v, prices);
}

}  // namespace dse::hardware
