#pragma once

#include "dse/config/described_once.hpp"
#include "dse/hardware/network/astra_sim_spec.hpp"
#include "dse/hardware/network/collective_spec.hpp"
#include "dse/hardware/network/dimension_spec.hpp"
#include "dse/hardware/network/nccl_spec.hpp"
#include "dse/hardware/network/network_prices_spec.hpp"
#include "dse/hardware/network/scale_out_spec.hpp"
#include "dse/hardware/network/scale_up_spec.hpp"
#include "dse/hardware/network/topology_spec.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// A network of two levels: fast domains and a fabric between them. Network models with more dimensions read
/// further sections; if those are absent, they use the two levels as two dimensions of switches.
struct NetworkSpec {
    ScaleUpSpec scale_up;
    ScaleOutSpec scale_out;
    DimensionList dimensions;
    CollectiveSpec collective;
    AstraSimSpec astra_sim;
    NcclSpec nccl;
    TopologySpec topology;
    NetworkPricesSpec prices;
};

Problems problems_of(const NetworkSpec& network);

template <class Visitor>
void describe(Visitor& v, NetworkSpec& network) {
    v.section("scale_up", network.scale_up, "network inside a domain");
    v.section("scale_out", network.scale_out, "network between domains");
    v.optional_list("dimensions", network.dimensions, "dimensions of the network, innermost first");
    v.optional_section("collective", network.collective, "communication library");
    v.optional_section("astra_sim", network.astra_sim, "parameters of network model astra_sim");
    v.optional_section("nccl", network.nccl, "parameters of network model nccl");
    v.optional_section("topology", network.topology, "parameters of network model flow");
    v.optional_section("prices", network.prices,
                       "cost of the network in addition to the rent of the devices");
    check_after_reading(v, network);
}
DSE_DESCRIBED_ONCE(NetworkSpec);

}  // namespace dse::hardware
