#include "eval/serve/server_state.hpp"

namespace dse::eval {
namespace {

void replay(hardware::DeviceSpec& device) {
    if (device.graph_kernel_latency > Seconds{}) device.kernel_latency = device.graph_kernel_latency;
}

}  // namespace

const Machine& ServerState::replayed(std::span<const double> key, const study::Scenario& scenario) {
    // The use of CUDA graphs is not part of the system's key.
    std::vector<double> own{key.begin(), key.end()};
    own.push_back(scenario.workload.stack.cuda_graphs ? 1.0 : 0.0);
    if (!scenario.workload.stack.cuda_graphs) return replayed_.find(own, scenario);
    study::Scenario with_graphs = scenario;
    replay(with_graphs.system.cluster.device);
    for (hardware::DeviceClassSpec& other : with_graphs.system.device_classes) replay(other.device);
    return replayed_.find(own, with_graphs);
}

}  // namespace dse::eval
