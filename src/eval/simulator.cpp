#include "dse/eval/simulator.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/eval/durations.hpp"
#include "dse/eval/measure.hpp"

namespace dse::eval {
namespace {

using workload::MemoryKind;

std::string gibibytes(double bytes) {
    return fmt::format("{:.1f} GiB", bytes / 1073741824.0);
}

/// "needs 103.2 GiB of 80.0 GiB on stage 0, most of it activations (71.0 GiB)"
[[noreturn]] void does_not_fit(double need, double capacity, std::size_t stage,
                               const sim::BytesByKind& by_kind) {
    const auto largest = std::max_element(by_kind.begin(), by_kind.end());
    const auto kind = static_cast<MemoryKind>(largest - by_kind.begin());
    throw OutOfMemory(fmt::format("needs {} of {} on stage {}, most of it {} ({})", gibibytes(need),
                                  gibibytes(capacity), stage, workload::name(kind), gibibytes(*largest)));
}

/// The cheapest test first: what is resident throughout must fit before anything is played.
void require_room(const Scenario& scenario, const workload::Graph& graph) {
    const double capacity = scenario.system.cluster.device.memory.capacity.value();
    const double overhead = 1.0 + scenario.workload.stack.allocator_overhead;
    for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
        sim::BytesByKind by_kind{};
        double total = 0.0;
        for (const workload::BufferId id : graph.programs[graph.program_of[stage]].resident) {
            const workload::Buffer& buffer = graph.buffers[id.index()];
            by_kind[static_cast<std::size_t>(buffer.kind)] += buffer.size.value();
            total += buffer.size.value();
        }
        if (total * overhead > capacity) does_not_fit(total * overhead, capacity, stage, by_kind);
    }
}

}  // namespace

/// What depends on a graph's numbers and a machine only.
struct Simulator::Costs {
    std::uint64_t revision{0};
    std::uint64_t machine{0};  ///< its serial
    sim::Durations durations;
    workload::TotalsCounter totals;
};

Simulator::Simulator(std::unique_ptr<frontend::Frontend> frontend) : frontend_{std::move(frontend)} {}

Simulator::~Simulator() = default;

const Simulator::Costs& Simulator::costs_of(const Scenario& scenario, const workload::Graph& graph,
                                            const Machine& machine) {
    // Graphs live as long as the structures of the frontend, which are few.
    constexpr std::size_t most_costs = 8192;
    if (costs_.size() >= most_costs) costs_.clear();
    Costs& costs = costs_[&graph];
    const bool same_numbers = costs.revision == graph.revision;
    if (!same_numbers) costs.totals.read(graph);
    if (!same_numbers || costs.machine != machine.serial) {
        costs.revision = 0;  // stays so if a model refuses
        fill_durations(graph, machine, scenario.system.cluster.host, costs.durations);
        costs.machine = machine.serial;
        costs.revision = graph.revision;
    }
    return costs;
}

sim::Engine& Simulator::engine(const std::string& name) {
    std::unique_ptr<sim::Engine>& engine = engines_[name];
    if (!engine) engine = sim::engines().find(name)();
    return *engine;
}

const Simulation& Simulator::run(const Scenario& scenario, std::span<const double> system_key,
                                 WhenFull when_full) {
    simulation_ = Simulation{};
    const workload::ResolvedLayout layout =
        workload::resolve(scenario.workload.layout, scenario.system.devices, scenario.workload.global_batch);
    const Machine& machine = machines_.find(system_key, scenario);
    const workload::Graph& graph = frontend_->build(scenario.workload, layout);
    simulation_.graph = &graph;
    if (when_full == WhenFull::refuse) require_room(scenario, graph);
    const Costs& costs = costs_of(scenario, graph, machine);
    simulation_.durations = &costs.durations;
    simulation_.result = engine(scenario.fidelity.engine).play(graph, costs.durations);
    simulation_.metrics = measure(scenario, graph, costs.totals.all(graph), simulation_.result);

    const sim::MemoryPeak& memory = simulation_.result.memory;
    const double peak = peak_memory(scenario, memory).value();
    const double capacity = scenario.system.cluster.device.memory.capacity.value();
    if (peak > capacity && when_full == WhenFull::refuse)
        does_not_fit(peak, capacity, memory.stage, memory.by_kind);
    return simulation_;
}

}  // namespace dse::eval
