#include "dse/eval/durations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "dse/model/host_copy.hpp"
#include "eval/clock.hpp"

namespace dse::eval {
namespace {

using graph::Graph;
using graph::MeshAxis;

sim::NodeTime plain(Seconds time, const Clock& clock) {
    const double duration = clock(time);
    return {duration, duration, 0.0};
}

/// Rounds the time of kernels and of the host to the nearest number of the network's ticks, at least one.
Seconds kernel_time(Seconds time, const model::NetworkModel& network) {
    const double tick = network.traits().kernel_tick.value();
    if (tick == 0.0) return time;
    return Seconds{std::max(1.0, std::round(time.value() / tick)) * tick};
}

sim::NodeTime kernel(const graph::Compute& compute, const model::ComputeModel& model,
                     const model::NetworkModel& network, const Clock& clock) {
    return plain(kernel_time(model.time(compute), network), clock);
}

/// A marker launches no kernels and takes no time.
Seconds launch_time(const graph::Launch& launch, const hardware::HostSpec& host,
                    const model::NetworkModel& network) {
    if (launch.kernels == 0.0) return {};
    return kernel_time(host.launch_time * launch.kernels, network);
}

/// Time that kernels lose beside a hidden collective. With rule `measured`, the engine accounts for
/// it instead.
double lost_beside(double duration, const hardware::OverlapSpec& overlap, const Clock& clock) {
    const bool is_fixed = overlap.rule == hardware::OverlapRule::fixed;
    return is_fixed && overlap.compute_slowdown > 1.0 ? clock.part(duration, overlap.lost_share()) : 0.0;
}

/// Mean time that the ranks of a tensor-parallel collective wait for the last of them
/// (hardware::HostSpec::skew). With sequence parallelism, a norm and a sum later the ranks that a
/// reduce-scatter has brought together meet again in a gather: they wait once for both, as for the
/// all-reduce that these two replace.
Seconds waiting_time(const graph::Collective& collective, const graph::Mesh& mesh, Seconds skew) {
    if (skew == Seconds{} || !collective.axes.contains(MeshAxis::tensor)) return {};
    if (collective.kind == graph::CollectiveKind::reduce_scatter) return {};
    double steps = 0.0;
    for (std::int64_t rank = 2; rank <= mesh.degree(MeshAxis::tensor); ++rank)
        steps += 1.0 / static_cast<double>(rank);
    return skew * steps;
}

/// The latest times of different collectives of one graph: the passes of a layer often repeat each other's.
class CollectiveTimes {
  public:
    CollectiveTimes(const model::NetworkModel& network, const graph::Mesh& mesh)
        : network_{network}, mesh_{mesh} {}

    Seconds of(const graph::Collective& collective) {
        for (std::size_t i = 0; i < known_; ++i) {
            if (take_the_same(*latest_[i].collective, collective)) return latest_[i].time;
        }
        Known& oldest = latest_[next_];
        next_ = (next_ + 1) % latest_.size();
        known_ = std::min(known_ + 1, latest_.size());
        oldest = {&collective, network_.collective(collective, mesh_)};
        return oldest.time;
    }

  private:
    struct Known {
        const graph::Collective* collective{nullptr};
        Seconds time;
    };

    /// Everything but the share that is exposed, which is no part of the time.
    static bool take_the_same(const graph::Collective& a, const graph::Collective& b) {
        return a.kind == b.kind && a.axes == b.axes && a.size == b.size && a.members == b.members &&
               a.dispatch == b.dispatch;
    }

    const model::NetworkModel& network_;
    const graph::Mesh& mesh_;
    std::array<Known, 8> latest_{};
    std::size_t known_{0};
    std::size_t next_{0};
};

/// With a single queue, consumers wait for the whole collective, and nothing else is affected.
sim::NodeTime communication(const graph::Collective& collective, const Machine& machine,
                            const graph::Mesh& mesh, const hardware::ClusterSpec& cluster, const Clock& clock,
                            CollectiveTimes& times) {
    const hardware::OverlapSpec& overlap = cluster.device.overlap;
    const Seconds waiting = waiting_time(collective, mesh, cluster.host.skew);
    sim::NodeTime result = plain(times.of(collective) + waiting, clock);
    if (machine.network->traits().one_queue) return result;
    const double exposed = clock.part(result.duration, collective.exposed);
    constexpr graph::AxisSet held = graph::data_parallel_axes | MeshAxis::pipeline;
    if (!(collective.axes & held).empty()) {
        result.hold = exposed;
    } else {
        result.visible = exposed;
    }
    if (result.hold == 0.0 && collective.exposed < 1.0 && collective.slows_kernels)
        result.lost = lost_beside(result.duration - exposed, overlap, clock);
    return result;
}

sim::NodeTime time_of(const graph::Work& work, const Graph& graph, const Machine& machine,
                      const hardware::ClusterSpec& cluster, const Clock& clock, CollectiveTimes& times) {
    const hardware::HostSpec& host = cluster.host;
    if (const auto* compute = std::get_if<graph::Compute>(&work))
        return kernel(*compute, *machine.compute, *machine.network, clock);
    if (const auto* collective = std::get_if<graph::Collective>(&work)) {
        if (collective->members != graph::Members::all) return plain(times.of(*collective), clock);
        return communication(*collective, machine, graph.mesh, cluster, clock, times);
    }
    if (const auto* launch = std::get_if<graph::Launch>(&work))
        return plain(launch_time(*launch, host, *machine.network), clock);
    if (const auto* copy = std::get_if<graph::Copy>(&work))
        return plain(model::copy_time(*copy, host), clock);
    if (const auto* update = std::get_if<graph::HostUpdate>(&work))
        return plain(kernel_time(model::update_time(*update, host), *machine.network), clock);
    return {};  // the time of a transfer depends on the stage
}

sim::TransferTime transfer(const Graph& graph, graph::WorkId work, const Machine& machine, std::int64_t from,
                           std::int64_t to, const Clock& clock) {
    const auto* message = std::get_if<graph::Transfer>(&graph.works[work.index()]);
    if (message == nullptr) return {};
    const double duration = clock(machine.network->transfer(message->size, graph.mesh, from, to));
    return {duration, machine.network->traits().one_queue ? 0.0 : clock.part(duration, message->exposed)};
}

/// Sets the times of messages. Their direction in a lane depends on the pass; at the ends of the pipeline
/// they go around it.
void fill_transfers(const Graph& graph, const Machine& machine, const Clock& clock,
                    sim::Durations& durations) {
    const auto stages = static_cast<std::int64_t>(graph.program_of.size());
    const std::int64_t lanes = graph::lanes_of(graph.schedule);
    durations.forward.assign(static_cast<std::size_t>(lanes * stages), {});
    durations.backward.assign(static_cast<std::size_t>(lanes * stages), {});
    for (std::int64_t end = 0; stages > 1 && end < lanes * stages; ++end) {
        const std::int64_t stage = end % stages;
        const std::int64_t up = (stage + 1) % stages;
        const std::int64_t down = (stage + stages - 1) % stages;
        const bool goes_up = end < stages;
        const auto index = static_cast<std::size_t>(end);
        const graph::WorkId onwards =
            graph::message_of(graph, graph::Pass::forward, static_cast<std::uint32_t>(stage));
        durations.forward[index] = transfer(graph, onwards, machine, stage, goes_up ? up : down, clock);
        durations.backward[index] =
            transfer(graph, graph.send_backward, machine, stage, goes_up ? down : up, clock);
    }
}

/// Kernel durations of some ranks, by WorkId. \param model  model of their device; nullptr: the usual device
std::vector<double> kernel_table(const Graph& graph, const model::ComputeModel* model, double slowdown,
                                 const model::NetworkModel& network, const Clock& clock,
                                 const sim::Durations& durations) {
    std::vector<double> table;
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        double duration = durations.of_work[i].duration;
        if (const auto* compute = std::get_if<graph::Compute>(&graph.works[i])) {
            if (model != nullptr) duration = kernel(*compute, *model, network, clock).duration;
            if (slowdown != 1.0) duration = clock.part(duration, slowdown);
        }
        table.push_back(duration);
    }
    return table;
}

}  // namespace

void fill_durations(const Graph& graph, const Machine& machine, const hardware::ClusterSpec& cluster,
                    sim::Durations& durations, const sim::Durations* like) {
    const Clock clock{machine.network->traits().tick};
    durations.unit = clock.unit();
    durations.shared = machine.network->traits().shares_everything ? machine.network.get() : nullptr;
    durations.of_work.resize(graph.works.size());
    CollectiveTimes times{*machine.network, graph.mesh};
    for (std::size_t i = 0; i < graph.works.size(); ++i) {
        const bool is_known = like != nullptr && !std::holds_alternative<graph::Collective>(graph.works[i]);
        durations.of_work[i] =
            is_known ? like->of_work[i] : time_of(graph.works[i], graph, machine, cluster, clock, times);
    }
    fill_transfers(graph, machine, clock, durations);
    const hardware::OverlapSpec& overlap = cluster.device.overlap;
    durations.compute_slowdown =
        overlap.rule == hardware::OverlapRule::measured ? overlap.compute_slowdown : 1.0;
    durations.barrier = durations.of_work[graph.barrier.index()].duration;
}

void fill_stage_classes(const Graph& graph, std::span<const graph::DeviceClass> class_of_work,
                        const Machine& machine, sim::Durations& durations) {
    const Clock clock{machine.network->traits().tick};
    for (std::size_t i = 0; i < class_of_work.size(); ++i) {
        if (class_of_work[i] == 0) continue;
        durations.of_work[i] = kernel(std::get<graph::Compute>(graph.works[i]),
                                      *machine.class_compute[class_of_work[i] - 1U], *machine.network, clock);
    }
}

void fill_kernel_tables(const Graph& graph, const hardware::StragglerSpec& stragglers,
                        std::span<const graph::DeviceClass> class_of_rank, const Machine& machine,
                        sim::Durations& durations) {
    durations.kernel_tables.clear();
    durations.kernel_table_of.clear();
    if (!stragglers.exist() && class_of_rank.empty()) return;
    const Clock clock{machine.network->traits().tick};
    std::map<std::pair<graph::DeviceClass, bool>, std::uint16_t> tables{{{0, false}, 0}};
    for (std::int64_t rank = 0; rank < graph.mesh.ranks(); ++rank) {
        const graph::DeviceClass device =
            class_of_rank.empty() ? graph::DeviceClass{0} : class_of_rank[static_cast<std::size_t>(rank)];
        const bool is_slow = stragglers.exist() && stragglers.ranks.contains(rank);
        const auto [table, is_new] = tables.try_emplace(
            {device, is_slow}, static_cast<std::uint16_t>(durations.kernel_tables.size() + 1));
        if (is_new) {
            const model::ComputeModel* model =
                device == 0 ? nullptr : machine.class_compute[device - 1U].get();
            durations.kernel_tables.push_back(kernel_table(graph, model, is_slow ? stragglers.slowdown : 1.0,
                                                           *machine.network, clock, durations));
        }
        durations.kernel_table_of.push_back(table->second);
    }
    if (durations.kernel_tables.empty()) durations.kernel_table_of.clear();
}

}  // namespace dse::eval
