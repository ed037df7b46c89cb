#include "eval/serve/server_state.hpp"

namespace dse::eval {
namespace {

void replay(hardware::DeviceSpec& device) {
    if (device.graph_kernel_latency > Seconds{}) device.kernel_latency = device.graph_kernel_latency;
    if (device.graph_split_depth > 0.0) device.matmul.split_depth = device.graph_split_depth;
    if (device.attention.graph_cache_latency > Seconds{})
        device.attention.cache_latency = device.attention.graph_cache_latency;
    if (device.graph_memory_efficiency > 0.0)
        device.matmul.plain_memory_efficiency = device.graph_memory_efficiency;
}

void set_collectives(const graph::ServingEngine& engine, hardware::CollectiveSpec& collective) {
    if (engine.collective_launch > Seconds{}) {
        collective.library_launch = collective.launch;
        collective.launch = engine.collective_launch;
        collective.two_step_launch = engine.two_step_launch;
        collective.one_step_limit = engine.one_step_limit;
    }
    if (engine.exchange_launch > Seconds{}) collective.exchange_launch = engine.exchange_launch;
}

/// The software that changes a machine is not part of the system's key.
std::vector<double> key_with(std::span<const double> key, bool replays, const graph::ServingEngine& engine) {
    std::vector<double> own{key.begin(), key.end()};
    own.push_back(replays ? 1.0 : 0.0);
    own.push_back(engine.collective_launch.value());
    own.push_back(engine.two_step_launch.value());
    own.push_back(engine.one_step_limit.value());
    own.push_back(engine.exchange_launch.value());
    return own;
}

const Machine& find_changed(MachineCache& machines, std::span<const double> key,
                            const study::Scenario& scenario, bool replays) {
    const graph::ServingEngine& engine = scenario.workload.engine;
    const std::vector<double> own = key_with(key, replays, engine);
    if (!replays && engine.collective_launch == Seconds{} && engine.exchange_launch == Seconds{})
        return machines.find(own, scenario);
    study::Scenario changed = scenario;
    set_collectives(engine, changed.system.cluster.network.collective);
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
