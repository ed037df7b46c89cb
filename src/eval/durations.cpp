#include "dse/eval/durations.hpp"

#include "dse/model/host_copy.hpp"

namespace dse::eval {
namespace {

using workload::Graph;
using workload::MeshAxis;

sim::NodeTime plain(Seconds time) {
    const double seconds = sim::quantise(time.value());
    return {seconds, seconds, 0.0};
}

sim::NodeTime communication(const workload::Collective& collective, Seconds time) {
    sim::NodeTime result = plain(time);
    const double exposed = sim::quantise(result.duration * collective.exposed);
    const workload::AxisSet held =
        workload::AxisSet{MeshAxis::data} | MeshAxis::expert_data | MeshAxis::pipeline;
    if (!(collective.axes & held).empty()) {
        result.hold = exposed;
    } else {
        result.visible = exposed;
    }
    return result;
}

sim::NodeTime time_of(const workload::Work& work, const Graph& graph, const Machine& machine,
                      const hardware::HostSpec& host) {
    if (const auto* compute = std::get_if<workload::Compute>(&work))
        return plain(machine.compute->time(*compute));
    if (const auto* collective = std::get_if<workload::Collective>(&work)) {
        if (collective->members == workload::Members::ends) {
            // Two ranks exchange what they have and add.
            return plain(machine.network->transfer(collective->size, graph.mesh, 0,
                                                   graph.mesh.degree(MeshAxis::pipeline) - 1));
        }
        return communication(*collective, machine.network->collective(*collective, graph.mesh));
    }
    if (const auto* launch = std::get_if<workload::Launch>(&work))
        return plain(host.launch_time * launch->kernels);
    if (const auto* copy = std::get_if<workload::Copy>(&work)) return plain(model::copy_time(*copy, host));
    return {};  // a transfer's time depends on its stage
}

sim::TransferTime transfer(const Graph& graph, workload::WorkId work, const Machine& machine,
                           std::int64_t from, std::int64_t to) {
    const auto* message = std::get_if<workload::Transfer>(&graph.works[work.index()]);
    if (message == nullptr) return {};
    const double duration =
        sim::quantise(machine.network->transfer(message->size, graph.mesh, from, to).value());
    return {duration, sim::quantise(duration * message->exposed)};
}

}  // namespace

void fill_durations(const Graph& graph, const Machine& machine, const hardware::HostSpec& host,
                    sim::Durations& durations) {
    durations.of_work.resize(graph.works.size());
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        durations.of_work[i] = time_of(graph.works[i], graph, machine, host);
    }
    const auto stages = static_cast<std::int64_t>(graph.program_of.size());
    durations.forward.assign(graph.program_of.size(), {});
    durations.backward.assign(graph.program_of.size(), {});
    for (std::int64_t stage = 0; stages > 1 && stage < stages; ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        durations.forward[index] = transfer(graph, graph.send_forward, machine, stage, (stage + 1) % stages);
        durations.backward[index] =
            transfer(graph, graph.send_backward, machine, stage, (stage + stages - 1) % stages);
    }
    durations.barrier = durations.of_work[graph.barrier.index()].duration;
}

}  // namespace dse::eval
