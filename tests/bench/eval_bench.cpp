// What a point of sweeps/llm_70b.yaml costs on one core, whole and by phase; that a steady state allocates
// nothing; and how it grows with layers, microbatches and ranks.

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/allocations.hpp"
#include "dse/eval/durations.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/eval/machine.hpp"
#include "dse/eval/measure.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/sim/engine.hpp"
#include "dse/study/binder.hpp"
#include "support/source_dir.hpp"

namespace dse {
namespace {

using space::Record;
using space::Status;

const study::Sweep& sweep() {
    static const study::Sweep loaded =
        eval::load_sweep(std::string{DSE_SOURCE_DIR} + "/sweeps/llm_70b.yaml", {});
    return loaded;
}

/// Whole runs of neighbouring points, spread over the grid: as a worker gets them.
std::vector<space::Point> sample(std::size_t count, std::size_t run) {
    std::mt19937_64 random(1);
    std::vector<space::Point> points;
    space::Point point;
    while (points.size() < count) {
        const std::uint64_t size = sweep().space->grid_size().exact.value();
        std::uint64_t id = random() % size;
        for (std::size_t taken = 0; taken < run && points.size() < count && id < size; ++id) {
            if (!sweep().space->point(id, point)) continue;
            point.id = id;
            points.push_back(point);
            ++taken;
        }
    }
    return points;
}

/// All points of such runs, and those of them that fit.
struct Points {
    std::vector<space::Point> all;
    std::vector<space::Point> feasible;
};

const Points& points() {
    static const Points sampled = [] {
        Points result{sample(20000, 500), {}};
        eval::Evaluator evaluator(sweep());
        Record record;
        for (const space::Point& point : result.all) {
            evaluator.evaluate(point, record);
            if (record.status == Status::ok) result.feasible.push_back(point);
        }
        return result;
    }();
    return sampled;
}

enum class Caches { warm, cold, off };

/// Evaluates `chosen` again and again. Cold: everything is forgotten before each round through the points;
/// off: before each point; warm: one round has gone before.
void evaluate(benchmark::State& state, const std::vector<space::Point>& chosen, Caches caches,
              sim::Asked::For asked = sim::Asked::For::time) {
    eval::Evaluator evaluator(sweep(), asked);
    Record record;
    if (caches == Caches::warm) {
        for (const space::Point& point : chosen) evaluator.evaluate(point, record);
    }
    const std::uint64_t before = allocations;
    std::size_t next = 0;
    for (auto _ : state) {
        const bool forgets = caches == Caches::off || (caches == Caches::cold && next == 0);
        if (forgets) evaluator.forget();
        evaluator.evaluate(chosen[next], record);
        benchmark::DoNotOptimize(record);
        if (++next == chosen.size()) next = 0;
    }
    const auto count = static_cast<double>(state.iterations());
    state.counters["points"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
    state.counters["allocations"] = static_cast<double>(allocations - before) / count;
}

void feasible_points(benchmark::State& state, Caches caches) {
    evaluate(state, points().feasible, caches);
}
BENCHMARK_CAPTURE(feasible_points, warm, Caches::warm);
BENCHMARK_CAPTURE(feasible_points, cold, Caches::cold);
BENCHMARK_CAPTURE(feasible_points, off, Caches::off);

/// The same with the breakdown along the critical path, as `dse run --parts all` has it.
void feasible_points_with_parts(benchmark::State& state, Caches caches) {
    evaluate(state, points().feasible, caches, sim::Asked::For::path);
}
BENCHMARK_CAPTURE(feasible_points_with_parts, warm, Caches::warm);
BENCHMARK_CAPTURE(feasible_points_with_parts, cold, Caches::cold);

void all_points(benchmark::State& state) {
    evaluate(state, points().all, Caches::warm);
    state.counters["feasible"] =
        static_cast<double>(points().feasible.size()) / static_cast<double>(points().all.size());
}
BENCHMARK(all_points);

/// The space alone: from an id to values.
void enumerate(benchmark::State& state) {
    space::Point point;
    std::size_t next = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(sweep().space->point(points().all[next].id, point));
        next = (next + 1) % points().all.size();
    }
}
BENCHMARK(enumerate);

/// One feasible point after the other, phase by phase: each benchmark does the phases before its own as well,
/// so that the difference of two lines is what a phase takes.
enum class Phase { bind, build, durations, memory, play, measure };

void phases(benchmark::State& state, Phase last) {
    study::Binder binder(sweep());
    frontend::TemplateFrontend frontend(sweep().library);
    eval::MachineCache machines;
    const auto engine = sim::engines().find("folded")();
    sim::Durations durations;
    graph::TotalsCounter totals;
    const auto run = [&](const space::Point& point) {
        binder.bind(point);
        if (last == Phase::bind) return;
        const study::Scenario& scenario = binder.scenario();
        const auto layout =
            graph::resolve(scenario.workload.layout, scenario.system.devices, scenario.workload.global_batch);
        const graph::Graph& graph = frontend.build(scenario.workload, layout);
        if (last == Phase::build) return;
        eval::fill_durations(graph, machines.find(binder.system_key(), scenario), scenario.system.cluster,
                             durations);
        if (last == Phase::durations) return;
        const sim::MemoryPeak memory = engine->peak_memory(graph);
        benchmark::DoNotOptimize(memory);
        if (last == Phase::memory) return;
        const sim::Result result = engine->play(graph, durations, {sim::Asked::For::time});
        benchmark::DoNotOptimize(result);
        if (last == Phase::play) return;
        totals.read(graph);
        benchmark::DoNotOptimize(eval::measure(scenario, graph, totals.all(graph), result, memory));
    };
    for (const space::Point& point : points().feasible) run(point);
    std::size_t next = 0;
    const std::uint64_t before = allocations;
    for (auto _ : state) {
        run(points().feasible[next]);
        next = (next + 1) % points().feasible.size();
    }
    state.counters["allocations"] =
        static_cast<double>(allocations - before) / static_cast<double>(state.iterations());
}
BENCHMARK_CAPTURE(phases, bind, Phase::bind);
BENCHMARK_CAPTURE(phases, build, Phase::build);
BENCHMARK_CAPTURE(phases, durations, Phase::durations);
BENCHMARK_CAPTURE(phases, memory, Phase::memory);
BENCHMARK_CAPTURE(phases, play, Phase::play);
BENCHMARK_CAPTURE(phases, measure, Phase::measure);

/// A scenario of its own, whose size grows: everything that depends on it is evaluated each time, since its
/// sequence alternates.
class Growing {
  public:
    Growing() : simulator_{make(library_)} {
        scenario_ = sweep().base;
        scenario_.workload.layout.tp = 8;
        scenario_.workload.layout.pp = 4;
        scenario_.system.devices = 32;
        scenario_.workload.global_batch = 32;
        scenario_.system.cluster.device.memory.capacity = Bytes{1e18};
    }

    study::Scenario& scenario() { return scenario_; }

    void set_layers(std::int64_t layers) {
        frontend::ModelFile model;
        model.name = "grown";
        model.template_name = "llama";
        const auto add = [&](const char* name, double value) { model.symbols.push_back({name, value, {}}); };
        add("layers", static_cast<double>(layers));
        add("h", 64), add("n", 8), add("k", 8), add("d", 8), add("f", 128), add("vocab", 1024);
        model.blocks = {{"embedding", "1", {}}, {"decoder_layer", "layers", {}}, {"head", "1", {}}};
        auto frontend = std::make_unique<frontend::TemplateFrontend>(library_);
        frontend->define(model);
        simulator_ = std::make_unique<eval::Simulator>(std::move(frontend));
        scenario_.workload.model = "grown";
        scenario_.workload.sequence = 128;
        scenario_.system.devices = 8;
        scenario_.workload.layout.pp = 1;
        // A million layers must end within what is simulated, 2^13 s.
        scenario_.workload.global_batch = 1;
    }

    void run(benchmark::State& state) {
        const std::int64_t sequence = scenario_.workload.sequence;
        std::uint64_t nodes = 0;
        std::uint64_t tasks = 0;
        bool odd = false;
        for (auto _ : state) {
            scenario_.workload.sequence = odd ? sequence : 2 * sequence;
            odd = !odd;
            const eval::Evaluation& evaluation =
                simulator_->run(scenario_, {}, eval::WhenFull::refuse, sim::Asked::For::time);
            nodes = evaluation.result.node_visits;
            tasks = evaluation.result.task_visits;
        }
        state.counters["nodes"] = static_cast<double>(nodes);
        state.counters["tasks"] = static_cast<double>(tasks);
    }

  private:
    static std::unique_ptr<eval::Simulator> make(const config::Library& library) {
        return std::make_unique<eval::Simulator>(std::make_unique<frontend::TemplateFrontend>(library));
    }

    config::Library library_{config::Library::standard("")};
    study::Scenario scenario_;
    std::unique_ptr<eval::Simulator> simulator_;
};

void by_layers(benchmark::State& state) {
    Growing growing;
    growing.set_layers(state.range(0));
    growing.run(state);
}
BENCHMARK(by_layers)->RangeMultiplier(100)->Range(10, 1000000);

void by_microbatches(benchmark::State& state) {
    Growing growing;
    growing.scenario().workload.global_batch = state.range(0);
    growing.run(state);
}
BENCHMARK(by_microbatches)->RangeMultiplier(8)->Range(8, 4096);

void by_ranks(benchmark::State& state) {
    Growing growing;
    growing.scenario().system.devices = state.range(0);
    growing.scenario().workload.global_batch = state.range(0);
    growing.run(state);
}
BENCHMARK(by_ranks)->RangeMultiplier(8)->Range(64, 32768);

void load(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            eval::load_sweep(std::string{DSE_SOURCE_DIR} + "/sweeps/llm_70b.yaml", {}).space);
    }
}
BENCHMARK(load)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
