#include "dse/eval/durations.hpp"

#include <algorithm>
#include <cmath>

#include "dse/eval/clock.hpp"
#include "dse/model/host_copy.hpp"

namespace dse::eval {
namespace {

using workload::Graph;
using workload::MeshAxis;

sim::NodeTime plain(Seconds time, const Clock& clock) {
    const double duration = clock(time);
    return {duration, duration, 0.0};
}

/// The nearest whole number of the network's ticks for kernels, at least one.
Seconds kernel_time(Seconds time, const model::NetworkModel& network) {
    const double tick = network.kernel_tick().value();
    if (tick == 0.0) return time;
    return Seconds{std::max(1.0, std::round(time.value() / tick)) * tick};
}

/// What a collective or copy that nothing waits for takes away from the kernels beside it. The rule
/// `measured` leaves that to the engine.
double lost_beside(double duration, const hardware::OverlapSpec& overlap, const Clock& clock) {
    const bool is_fixed = overlap.rule == hardware::OverlapRule::fixed;
    return is_fixed && overlap.compute_slowdown > 1.0 ? clock.part(duration, overlap.lost_share()) : 0.0;
}

sim::NodeTime communication(const workload::Collective& collective, Seconds time,
                            const hardware::OverlapSpec& overlap, const Clock& clock) {
    sim::NodeTime result = plain(time, clock);
    const double exposed = clock.part(result.duration, collective.exposed);
    constexpr workload::AxisSet held = workload::data_parallel_axes | MeshAxis::pipeline;
    if (!(collective.axes & held).empty()) {
        result.hold = exposed;
    } else {
        result.visible = exposed;
    }
    result.hold += lost_beside(result.duration - exposed, overlap, clock);
    return result;
}

sim::NodeTime copy_beside(Seconds time, const hardware::OverlapSpec& overlap, const Clock& clock) {
    sim::NodeTime result = plain(time, clock);
    result.hold = lost_beside(result.duration, overlap, clock);
    return result;
}

sim::NodeTime time_of(const workload::Work& work, const Graph& graph, const Machine& machine,
                      const hardware::ClusterSpec& cluster, const Clock& clock) {
    const hardware::HostSpec& host = cluster.host;
    const hardware::OverlapSpec& overlap = cluster.device.overlap;
    if (const auto* compute = std::get_if<workload::Compute>(&work))
        return plain(kernel_time(machine.compute->time(*compute), *machine.network), clock);
    if (const auto* collective = std::get_if<workload::Collective>(&work)) {
        if (collective->members != workload::Members::all) {
            // Two ranks exchange what they have and add; of many pairs the two that are furthest apart.
            return plain(machine.network->transfer(collective->size, graph.mesh, 0,
                                                   graph.mesh.degree(MeshAxis::pipeline) - 1),
                         clock);
        }
        return communication(*collective, machine.network->collective(*collective, graph.mesh), overlap,
                             clock);
    }
    if (const auto* launch = std::get_if<workload::Launch>(&work))
        return plain(host.launch_time * launch->kernels, clock);
    if (const auto* copy = std::get_if<workload::Copy>(&work))
        return copy_beside(model::copy_time(*copy, host), overlap, clock);
    if (const auto* update = std::get_if<workload::HostUpdate>(&work))
        return plain(model::update_time(*update, host), clock);
    return {};  // a transfer's time depends on its stage
}

sim::TransferTime transfer(const Graph& graph, workload::WorkId work, const Machine& machine,
                           std::int64_t from, std::int64_t to, const Clock& clock) {
    const auto* message = std::get_if<workload::Transfer>(&graph.works[work.index()]);
    if (message == nullptr) return {};
    const double duration = clock(machine.network->transfer(message->size, graph.mesh, from, to));
    return {duration, clock.part(duration, message->exposed)};
}

/// Messages of a lane go up or down the stages by their pass; at the ends of the pipeline, round it.
void fill_transfers(const Graph& graph, const Machine& machine, const Clock& clock,
                    sim::Durations& durations) {
    const auto stages = static_cast<std::int64_t>(graph.program_of.size());
    const std::int64_t lanes = workload::lanes_of(graph.schedule);
    durations.forward.assign(static_cast<std::size_t>(lanes * stages), {});
    durations.backward.assign(static_cast<std::size_t>(lanes * stages), {});
    for (std::int64_t end = 0; stages > 1 && end < lanes * stages; ++end) {
        const std::int64_t stage = end % stages;
        const std::int64_t up = (stage + 1) % stages;
        const std::int64_t down = (stage + stages - 1) % stages;
        const bool goes_up = end < stages;
        const auto index = static_cast<std::size_t>(end);
        const workload::WorkId onwards =
            workload::message_of(graph, workload::Pass::forward, static_cast<std::uint32_t>(stage));
        durations.forward[index] = transfer(graph, onwards, machine, stage, goes_up ? up : down, clock);
        durations.backward[index] =
            transfer(graph, graph.send_backward, machine, stage, goes_up ? down : up, clock);
    }
}

}  // namespace

void fill_durations(const Graph& graph, const Machine& machine, const hardware::ClusterSpec& cluster,
                    sim::Durations& durations) {
    const Clock clock{machine.network->tick()};
    durations.unit = clock.unit();
    durations.shared = machine.network->shares_everything() ? machine.network.get() : nullptr;
    durations.of_work.resize(graph.works.size());
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        durations.of_work[i] = time_of(graph.works[i], graph, machine, cluster, clock);
    }
    fill_transfers(graph, machine, clock, durations);
    const hardware::OverlapSpec& overlap = cluster.device.overlap;
    durations.compute_slowdown =
        overlap.rule == hardware::OverlapRule::measured ? overlap.compute_slowdown : 1.0;
    durations.barrier = durations.of_work[graph.barrier.index()].duration;
}

void fill_stragglers(const Graph& graph, const hardware::StragglerSpec& stragglers, const Machine& machine,
                     sim::Durations& durations) {
    durations.stragglers = {};
    durations.straggler_kernels.clear();
    if (!stragglers.exist()) return;
    const Clock clock{machine.network->tick()};
    durations.stragglers = {stragglers.number, stragglers.first_rank, stragglers.rank_stride};
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        const double duration = durations.of_work[i].duration;
        const bool is_kernel = std::holds_alternative<workload::Compute>(graph.works[i]);
        durations.straggler_kernels.push_back(is_kernel ? clock.part(duration, stragglers.slowdown)
                                                        : duration);
    }
}

}  // namespace dse::eval
