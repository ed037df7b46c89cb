#include "dse/eval/simulator.hpp"

#include <algorithm>

#include "dse/base/error.hpp"
#include "dse/eval/durations.hpp"
#include "dse/eval/job_devices.hpp"
#include "dse/eval/measure.hpp"
#include "kept_graph.hpp"

namespace dse::eval {
Simulator::Simulator(std::unique_ptr<frontend::Frontend> frontend) : frontend_{std::move(frontend)} {}

Simulator::~Simulator() = default;

Simulator::Kept& Simulator::kept_of(const graph::Graph& graph) {
    // Graphs live as long as the structures of the frontend, which are few; a revision never comes back.
    constexpr std::size_t most_graphs = 8192;
    if (kept_.size() >= most_graphs) kept_.clear();
    return kept_[&graph];
}

/// Cheap, but for jobs whose devices differ.
const graph::Graph& Simulator::played_graph(Kept& kept, const study::Scenario& scenario,
                                            const graph::Graph& graph) {
    if (scenario.system.device_classes.empty()) return graph;
    const JobDevices devices{scenario.system, graph.mesh};
    if (devices.differ_within_a_stage()) return graph;
    kept.split.read(graph, devices.of_stage());
    return kept.split.graph();
}

void Simulator::update_costs(Kept& kept, const study::Scenario& scenario, const graph::Graph& graph,
                             const graph::Graph& played, const Machine& machine) {
    Kept::Costs& costs = kept.costs;
    const bool same_numbers = costs.revision == graph.revision;
    if (same_numbers && costs.machine == machine.serial) return;
    if (!same_numbers) costs.totals.read(graph);
    costs.revision = 0;  // stays so if a model refuses
    const hardware::SystemSpec& system = scenario.system;
    fill_durations(played, machine, system.cluster, costs.durations);
    if (&played != &graph) fill_stage_classes(played, kept.split.class_of_work(), machine, costs.durations);
    const bool differ = &played == &graph && !system.device_classes.empty();
    const auto of_rank = differ ? JobDevices{system, graph.mesh}.of_rank() : JobDevices::OfRank{};
    fill_kernel_tables(played, system.stragglers, of_rank, machine, costs.durations);
    costs.machine = machine.serial;
    costs.revision = graph.revision;
}

const sim::MemoryPeak& Simulator::peak_of(Kept& kept, const study::Scenario& scenario,
                                          const graph::Graph& graph) {
    Kept::Memory& memory = kept.memory;
    const graph::ScheduleKind schedule = scenario.workload.layout.schedule;
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
    if (!engine) {
        engine = sim::engines().find(name)();
        engine->set_checkpoint([this] { check_whether_to_go_on(); });
    }
    return *engine;
}

void Simulator::check_whether_to_go_on() const {
    if (stopped_ != nullptr && stopped_()) throw Stopped("stopped in the middle of a point");
    deadline_.check();
}

void Simulator::forget() {
    simulation_ = Simulation{};
    kept_.clear();
    machines_ = MachineCache{};
    engines_.clear();
    frontend_->forget();
}

const Simulation& Simulator::run(const study::Scenario& scenario, std::span<const double> system_key,
                                 WhenFull when_full) {
    simulation_ = Simulation{};
    deadline_ = Deadline{scenario.fidelity.time_limit};
    const Machine& machine = machines_.find(system_key, scenario);
    const graph::ResolvedLayout layout = resolve(scenario.workload, scenario.system.devices, machine);
    if (scenario.workload.ir.empty() && is_inference(scenario.workload.mode)) {
        serve(scenario, layout, machine, when_full);
        return simulation_;
    }
    const graph::Graph& graph = frontend_->build(scenario.workload, layout);
    simulation_.graph = &graph;
    deadline_.check();
    Kept& kept = kept_of(graph);
    if (when_full == WhenFull::refuse) {
        simulation_.shortage = shortage_of_states(scenario, graph);
        if (simulation_.shortage) return simulation_;
    }
    simulation_.memory = peak_of(kept, scenario, graph);
    if (when_full == WhenFull::refuse) {
        simulation_.shortage = scenario.system.device_classes.empty()
                                   ? shortage_of_peak(scenario, simulation_.memory)
                                   : shortage_of_stages(scenario, graph, stage_peaks(graph));
        if (simulation_.shortage) return simulation_;
    }
    deadline_.check();
    const graph::Graph& played = played_graph(kept, scenario, graph);
    simulation_.graph = &played;
    update_costs(kept, scenario, graph, played, machine);
    deadline_.check();
    simulation_.durations = &kept.costs.durations;
    simulation_.result = engine(scenario.fidelity.engine).play(played, kept.costs.durations);
    sim::to_seconds(simulation_.result, kept.costs.durations.unit);
    simulation_.metrics =
        measure(scenario, played, kept.costs.totals.all(graph), simulation_.result, simulation_.memory);
    return simulation_;
}

}  // namespace dse::eval
