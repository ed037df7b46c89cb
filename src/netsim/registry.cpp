#include "dse/netsim/registry.hpp"

#include "dse/model/network/calibrated.hpp"
#include "dse/model/network/latency_bandwidth.hpp"
#include "dse/model/network/multi_dim.hpp"
#include "dse/model/network/nccl.hpp"
#include "dse/netsim/astra_sim.hpp"
#include "dse/netsim/flow_model.hpp"
#include "netsim/scheduled_network.hpp"

namespace dse::netsim {
namespace {

template <class Model>
std::unique_ptr<model::NetworkModel> make_network(const hardware::NetworkSpec& network) {
    if (network.collective.schedules.empty()) return std::make_unique<Model>(network);
    return std::make_unique<ScheduledNetwork>(
        network, [](const hardware::NetworkSpec& plain) { return std::make_unique<Model>(plain); });
}

}  // namespace

const FactoryTable<NetworkFactory>& network_models() {
    static const FactoryTable<NetworkFactory> table{
        "network model",
        {{"latency_bandwidth",
          "latency and bandwidth inside and across scale-up domains",
          {&make_network<model::LatencyBandwidth>, true}},
         {"multi_dim",
          "any nesting of rings, meshes, switches and full connections, chunks pipelined",
          {&make_network<model::MultiDim>}},
         {"astra_sim",
          "ASTRA-sim's congestion-unaware analytical network, tick for tick",
          {&make_network<AstraSim>}},
         {"nccl",
          "the algorithm and protocol that NCCL's tuning model chooses, on NVLink and NICs",
          {&make_network<model::Nccl>}},
         {"calibrated",
          "measured collectives inside a domain, by device generation; otherwise nccl",
          {&make_network<model::Calibrated>}},
         {"flow",
          "every link of any topology, with max-min fair sharing between messages",
          {&make_network<FlowModel>}}}};
    return table;
}

}  // namespace dse::netsim
