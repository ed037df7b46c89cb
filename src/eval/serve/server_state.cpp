#include "eval/serve/server_state.hpp"

namespace dse::eval {
namespace {

void replay(hardware::DeviceSpec& device) {
    if (device.graph_kernel_latency > Seconds{}) device.kernel_latency = device.graph_kernel_latency;
}

/// The software that changes a machine is not part of the system's key.
std::vector<double> key_with(std::span<const double> key, bool replays, Seconds collective_launch) {
    std::vector<double> own{key.begin(), key.end()};
    own.push_back(replays ? 1.0 : 0.0);
    own.push_back(collective_launch.value());
    return own;
}

const Machine& find_changed(MachineCache& machines, std::span<const double> key,
                            const study::Scenario& scenario, bool replays) {
    const Seconds launch = scenario.workload.engine.collective_launch;
    const std::vector<double> own = key_with(key, replays, launch);
    if (!replays && launch == Seconds{}) return machines.find(own, scenario);
    study::Scenario changed = scenario;
    if (launch > Seconds{}) changed.system.cluster.network.collective.launch = launch;
    if (replays) {
        replay(changed.system.cluster.device);
        for (hardware::DeviceClassSpec& other : changed.system.device_classes) replay(other.device);
    }
    return machines.find(own, changed);
}

}  // namespace

const Machine& ServerState::machine(std::span<const double> key, const study::Scenario& scenario) {
    return find_changed(machines_, key, scenario, false);
}

const Machine& ServerState::replayed(std::span<const double> key, const study::Scenario& scenario) {
    return find_changed(replayed_, key, scenario, scenario.workload.stack.cuda_graphs);
}

}  // namespace dse::eval
