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

/// The cheapest test first: what is resident throughout must fit before anything is looked at.
void require_room_for_states(const Scenario& scenario, const workload::Graph& graph) {
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

/// The second cheapest: memory follows from the order of issue, without any time.
void require_room(const Scenario& scenario, const sim::MemoryPeak& memory) {
    const double peak = peak_memory(scenario, memory).value();
    const double capacity = scenario.system.cluster.device.memory.capacity.value();
    if (peak > capacity) does_not_fit(peak, capacity, memory.stage, memory.by_kind);
}

}  // namespace

/// What is kept of a graph: each part with all that it depends on.
struct Simulator::Kept {
    struct Costs {
        std::uint64_t revision{0};  ///< of the graph
        std::uint64_t machine{0};   ///< its serial
        sim::Durations durations;
        workload::TotalsCounter totals;
    } costs;
    struct Memory {
        std::uint64_t revision{0};
        workload::ScheduleKind schedule{};
        std::uint32_t microbatches{0};
        sim::MemoryPeak peak;
    } memory;
};

Simulator::Simulator(std::unique_ptr<frontend::Frontend> frontend) : frontend_{std::move(frontend)} {}

Simulator::~Simulator() = default;

Simulator::Kept& Simulator::kept_of(const workload::Graph& graph) {
    // Graphs live as long as the structures of the frontend, which are few; a revision never comes back.
    constexpr std::size_t most_graphs = 8192;
    if (kept_.size() >= most_graphs) kept_.clear();
    return kept_[&graph];
}

void Simulator::update_costs(Kept& kept, const Scenario& scenario, const workload::Graph& graph,
                             const Machine& machine) {
    Kept::Costs& costs = kept.costs;
    const bool same_numbers = costs.revision == graph.revision;
    if (same_numbers && costs.machine == machine.serial) return;
    if (!same_numbers) costs.totals.read(graph);
    costs.revision = 0;  // stays so if a model refuses
    fill_durations(graph, machine, scenario.system.cluster.host, costs.durations);
    costs.machine = machine.serial;
    costs.revision = graph.revision;
}

const sim::MemoryPeak& Simulator::peak_of(Kept& kept, const Scenario& scenario,
                                          const workload::Graph& graph) {
    Kept::Memory& memory = kept.memory;
    const workload::ScheduleKind schedule = scenario.workload.layout.schedule;
    if (memory.revision != graph.revision || memory.schedule != schedule ||
        memory.microbatches != graph.schedule.microbatches) {
        memory.revision = 0;
        memory.peak = engine(scenario.fidelity.engine).peak_memory(graph);
        memory = {graph.revision, schedule, graph.schedule.microbatches, memory.peak};
    }
    return memory.peak;
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
    Kept& kept = kept_of(graph);
    if (when_full == WhenFull::refuse) {
        require_room_for_states(scenario, graph);
        require_room(scenario, peak_of(kept, scenario, graph));
    }
    update_costs(kept, scenario, graph, machine);
    simulation_.durations = &kept.costs.durations;
    simulation_.result = engine(scenario.fidelity.engine).play(graph, kept.costs.durations);
    simulation_.metrics = measure(scenario, graph, kept.costs.totals.all(graph), simulation_.result);
    return simulation_;
}

}  // namespace dse::eval
