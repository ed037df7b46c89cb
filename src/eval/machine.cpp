#include "dse/eval/machine.hpp"

#include <algorithm>

#include "dse/hardware/slowest_by_class.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"

namespace dse::eval {
namespace {

Machine make_machine(const study::Scenario& scenario, std::uint64_t serial, std::uint64_t beside_network) {
    hardware::validate(scenario.system);
    const hardware::ClusterSpec& cluster = scenario.system.cluster;
    // Kernel launches are separate nodes of the graph, on their own stream.
    constexpr Seconds no_launch{};
    const model::ComputeFactory& compute = model::compute_models().find(scenario.fidelity.compute);
    const std::int64_t in_step = devices_in_step(scenario);
    const std::vector<hardware::DeviceSpec> slowest = hardware::slowest_by_class(scenario.system, in_step);
    Machine machine{serial,
                    compute(slowest.front(), no_launch),
                    {},
                    netsim::network_models().find(scenario.fidelity.network)(cluster.network),
                    scenario.system,
                    scenario.fidelity.engine,
                    beside_network,
                    in_step};
    for (std::size_t i = 1; i < slowest.size(); ++i)
        machine.class_compute.push_back(compute(slowest[i], no_launch));
    return machine;
}

/// A program has its layout already; only the number of devices matters.
graph::ResolvedLayout program_layout(const graph::WorkloadSpec& workload, std::int64_t devices) {
    graph::ResolvedLayout layout;
    layout.mesh = graph::Mesh::dense(1, 1, std::max<std::int64_t>(1, devices), 1);
    layout.queues = workload.stack.queues;
    return layout;
}

/// Number of domains whose slowest one kernels wait for: one if no device says how domains vary.
std::int64_t domains_waited_for(const Machine& machine) {
    const auto varies = [](const hardware::DeviceSpec& device) {
        return device.matmul.domain_variation > 0.0;
    };
    const hardware::SystemSpec& system = machine.system;
    if (!varies(system.cluster.device) &&
        std::ranges::none_of(system.device_classes, varies, &hardware::DeviceClassSpec::device))
        return 1;
    return hardware::domains_of(system, machine.in_step);
}

}  // namespace

std::int64_t devices_in_step(const study::Scenario& scenario) {
    const graph::WorkloadSpec& workload = scenario.workload;
    if (!graph::is_inference(workload.mode)) return scenario.system.devices;
    const graph::ParallelLayout& layout = workload.layout;
    return std::max(layout.tp * layout.cp * workload.engine.attention_dp, layout.ep) * layout.pp;
}

graph::ResolvedLayout resolve(const graph::WorkloadSpec& workload, std::int64_t devices,
                              const Machine& machine) {
    graph::ResolvedLayout layout =
        is_laid_out(workload) ? program_layout(workload, devices) : graph::resolve(workload, devices);
    if (machine.network->traits().one_queue) layout.queues = graph::Queues::one;
    return layout;
}

bool have_same_kernels(const Machine& a, const Machine& b) {
    return a.beside_network != 0 && a.beside_network == b.beside_network && a.in_step == b.in_step &&
           domains_waited_for(a) == domains_waited_for(b) && a.network->traits() == b.network->traits();
}

const Machine& MachineCache::find(std::span<const double> key, const study::Scenario& scenario,
                                  std::uint64_t beside_network) {
    const std::int64_t in_step = devices_in_step(scenario);
    const auto equal = [&](const std::unique_ptr<Entry>& entry) {
        return entry->machine.in_step == in_step && std::ranges::equal(entry->key, key);
    };
    if (latest_ < entries_.size() && equal(entries_[latest_])) return entries_[latest_]->machine;
    const auto found = std::find_if(entries_.begin(), entries_.end(), equal);
    if (found != entries_.end()) {
        latest_ = static_cast<std::size_t>(found - entries_.begin());
        return (*found)->machine;
    }
    auto entry = std::make_unique<Entry>(
        Entry{{key.begin(), key.end()}, make_machine(scenario, ++serial_, beside_network)});
    if (entries_.size() >= most_machines) entries_.clear();
    entries_.push_back(std::move(entry));
    latest_ = entries_.size() - 1;
    return entries_.back()->machine;
}

const Machine* MachineCache::find(std::uint64_t serial) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto& entry) { return entry->machine.serial == serial; });
    return found == entries_.end() ? nullptr : &(*found)->machine;
}

}  // namespace dse::eval
