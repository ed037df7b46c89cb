#include "dse/model/registry.hpp"

#include "dse/model/compute/roofline.hpp"
#include "dse/model/compute/systolic.hpp"
#include "dse/model/compute/table.hpp"
#include "dse/model/network/astra_sim.hpp"
#include "dse/model/network/flow_model.hpp"
#include "dse/model/network/latency_bandwidth.hpp"
#include "dse/model/network/multi_dim.hpp"
#include "dse/model/network/nccl.hpp"
#include "dse/model/network/scheduled_network.hpp"

namespace dse::model {
namespace {

template <class Model>
std::unique_ptr<ComputeModel> make_compute(const hardware::DeviceSpec& device, Seconds host_launch) {
    return std::make_unique<Model>(device, host_launch);
}

template <class Model>
std::unique_ptr<NetworkModel> make_network(const hardware::NetworkSpec& network) {
    if (network.collective.schedules.empty()) return std::make_unique<Model>(network);
    return std::make_unique<ScheduledNetwork>(
        network, [](const hardware::NetworkSpec& plain) { return std::make_unique<Model>(plain); });
}

}  // namespace

const FactoryTable<ComputeFactory>& compute_models() {
    static const FactoryTable<ComputeFactory> table{
        "compute model",
        {{"roofline", "FLOP rate or bandwidth, with efficiencies by class of operators",
          &make_compute<Roofline>},
         {"systolic", "cycles of a systolic array in closed form, and its time a cycle; else the roofline",
          &make_compute<Systolic>},
         {"table", "measured times of the device's kernels, interpolated; beyond them the roofline, scaled",
          &make_compute<Table>}}};
    return table;
}

const FactoryTable<NetworkFactory>& network_models() {
    static const FactoryTable<NetworkFactory> table{
        "network model",
        {{"latency_bandwidth", "latency and bandwidth inside and across scale-up domains",
          &make_network<LatencyBandwidth>},
         {"multi_dim", "any nesting of rings, meshes, switches and full connections, chunks pipelined",
          &make_network<MultiDim>},
         {"astra_sim", "ASTRA-sim's congestion-unaware analytical network, tick for tick",
          &make_network<AstraSim>},
         {"nccl", "NCCL's own choice of algorithm and protocol by its tuning model, on NVLink and NICs",
          &make_network<Nccl>},
         {"flow", "every link of any topology, shared max-min fairly by all messages on it",
          &make_network<FlowModel>}}};
    return table;
}

}  // namespace dse::model
