// What folding costs: a layer to an operator, a task, a point; how it grows; and that it allocates nothing.

#include <benchmark/benchmark.h>

#include "bench/allocations.hpp"
#include "dse/eval/evaluator.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/sim/engine.hpp"
#include "dse/sim/fold/folded_engine.hpp"
#include "dse/sim/fold/region_operators.hpp"
#include "support/layer_graph.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

void play(benchmark::State& state, const test::LayerShape& shape) {
    const test::LayerGraph made{shape};
    sim::fold::FoldedEngine engine;
    sim::Result result = engine.play(made.graph, made.durations, {sim::Asked::For::time});
    const std::uint64_t before = allocations;
    for (auto _ : state) {
        result = engine.play(made.graph, made.durations, {sim::Asked::For::time});
        benchmark::DoNotOptimize(result);
    }
    state.counters["allocations"] =
        benchmark::Counter(static_cast<double>(allocations - before), benchmark::Counter::kAvgIterations);
    state.counters["nodes"] = static_cast<double>(result.node_visits);
    state.counters["tasks"] = static_cast<double>(result.task_visits);
}

void layer_to_operator(benchmark::State& state) {
    const test::LayerGraph made{{1, 1, 1, 1}};
    sim::fold::RegionTable table;
    table.reset(made.graph);
    sim::fold::RegionOperators operators;
    for (auto _ : state) {
        operators.reset(made.graph, {&made.durations}, table);
        benchmark::DoNotOptimize(operators.of(graph::RegionId{0}, 0));
    }
}
BENCHMARK(layer_to_operator);

void power_of_layer(benchmark::State& state) {
    const test::LayerGraph made{{1, 1, 1, 1}};
    sim::fold::RegionTable table;
    table.reset(made.graph);
    sim::fold::RegionOperators operators;
    for (auto _ : state) {
        operators.reset(made.graph, {&made.durations}, table);
        benchmark::DoNotOptimize(operators.power(graph::RegionId{0}, 0, state.range(0)));
    }
}
BENCHMARK(power_of_layer)->Arg(1)->Arg(10)->Arg(80)->Arg(1'000'000);

void apply_task(benchmark::State& state) {
    const auto outputs = static_cast<std::size_t>(state.range(0));
    const std::vector<double> columns(outputs * sim::fold::padded(outputs), 1.0);
    std::vector<double> in(outputs, 0.0);
    std::vector<double> out(sim::fold::padded(outputs), 0.0);
    for (auto _ : state) {
        sim::fold::apply(columns.data(), outputs, outputs, in.data(), out.data());
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
}
BENCHMARK(apply_task)->Arg(4)->Arg(6)->Arg(8)->Arg(12);

void by_layers(benchmark::State& state) {
    play(state, {8, 64, state.range(0), 8, graph::ScheduleKind::one_f_one_b, 1, 1e-7});
}
BENCHMARK(by_layers)->Arg(1)->Arg(10)->Arg(80)->Arg(10'000)->Unit(benchmark::kMicrosecond);

void by_microbatches(benchmark::State& state) {
    play(state, {8, static_cast<std::uint32_t>(state.range(0)), 10});
}
BENCHMARK(by_microbatches)->RangeMultiplier(4)->Range(1, 1024)->Unit(benchmark::kMicrosecond);

void zero_bubble_v(benchmark::State& state) {
    play(state, {8, static_cast<std::uint32_t>(state.range(0)), 5, 8, graph::ScheduleKind::zb_v, 2});
}
BENCHMARK(zero_bubble_v)->RangeMultiplier(4)->Range(64, 4096)->Unit(benchmark::kMicrosecond);

void dual_pipe(benchmark::State& state) {
    play(state, {8, static_cast<std::uint32_t>(state.range(0)), 10, 8, graph::ScheduleKind::dualpipe, 2});
}
BENCHMARK(dual_pipe)->RangeMultiplier(4)->Range(64, 4096)->Unit(benchmark::kMicrosecond);

void by_stages(benchmark::State& state) {
    play(state, {static_cast<std::uint32_t>(state.range(0)), 64, 10});
}
BENCHMARK(by_stages)->RangeMultiplier(2)->Range(1, 128)->Unit(benchmark::kMicrosecond);

void by_ranks(benchmark::State& state) {
    play(state, {8, 64, 10, state.range(0)});
}
BENCHMARK(by_ranks)->Arg(8)->Arg(128)->Arg(4096)->Unit(benchmark::kMicrosecond);

/// A training step on 131,072 ranks: 126 layers (of Llama-3 405B) in 16 stages, of which none has more than
/// 8, 64 microbatches. What one stage or layer more costs stands beside it: neither ranks nor layers count.
void step_on_131072_ranks(benchmark::State& state) {
    play(state, {16, 64, state.range(0), state.range(1) / 16});
}
BENCHMARK(step_on_131072_ranks)
    ->ArgNames({"layers a stage", "ranks"})
    ->Args({8, 131'072})
    ->Args({8, 1'024})
    ->Args({64, 131'072})
    ->Args({512, 131'072})
    ->Unit(benchmark::kMicrosecond);

/// The same of a real model: Llama-3 405B, tp 8, pp 16, dp 1,024, built from its template and costed once.
void llama_405b_on_131072_ranks(benchmark::State& state) {
    const test::TemporaryFolder folder;
    const study::Sweep sweep = eval::load_sweep(
        folder.write("step.yaml",
                     "name: step\nworkload: {model: llama3_405b, global_batch: 65536, sequence: 8192}\n"
                     "system: {cluster: h100_ndr400, devices: 131072}\n"
                     "axes: {tp: [8], pp: [16], zero: [1], sequence_parallel: [true], recompute: [full]}\n"),
        {});
    eval::Evaluator evaluator{sweep};
    space::Point point;
    sweep.space->point(0, point);
    const eval::Explanation explained = evaluator.explain(point);
    if (explained.durations == nullptr) return state.SkipWithError(explained.record.reason.c_str());
    sim::fold::FoldedEngine engine;
    sim::Result result = engine.play(*explained.graph, *explained.durations);
    const std::uint64_t before = allocations;
    for (auto _ : state) {
        result = engine.play(*explained.graph, *explained.durations);
        benchmark::DoNotOptimize(result);
    }
    state.counters["allocations"] =
        benchmark::Counter(static_cast<double>(allocations - before), benchmark::Counter::kAvgIterations);
    state.counters["microbatches"] = static_cast<double>(explained.graph->schedule.microbatches);
    state.counters["nodes"] = static_cast<double>(result.node_visits);
}
BENCHMARK(llama_405b_on_131072_ranks)->Unit(benchmark::kMicrosecond);

void gpipe(benchmark::State& state) {
    play(state, {8, static_cast<std::uint32_t>(state.range(0)), 10, 8, graph::ScheduleKind::gpipe});
}
BENCHMARK(gpipe)->Arg(32)->Arg(64)->Arg(1024)->Arg(8192)->Unit(benchmark::kMicrosecond);

void interleaved(benchmark::State& state) {
    play(state, {8, 64, 5, 8, graph::ScheduleKind::interleaved, 2});
}
BENCHMARK(interleaved)->Unit(benchmark::kMicrosecond);

/// Schedules on two machines in turn, so that no play continues from the one before it.
void of_two_machines(benchmark::State& state, const test::LayerShape& shape) {
    const test::LayerGraph made{shape};
    sim::Durations other = made.durations;
    other.forward[0].duration += 0x1p-20;
    sim::fold::FoldedEngine engine;
    std::uint64_t tasks = 0;
    bool is_other = false;
    for (auto _ : state) {
        const sim::Durations& durations = is_other ? other : made.durations;
        tasks += engine.play(made.graph, durations, {sim::Asked::For::time}).task_visits;
        is_other = !is_other;
    }
    state.counters["tasks"] =
        benchmark::Counter(static_cast<double>(tasks), benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(of_two_machines, gpipe_32, {8, 32, 10, 8, graph::ScheduleKind::gpipe})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(of_two_machines, gpipe_512, {8, 512, 10, 8, graph::ScheduleKind::gpipe})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(of_two_machines, gpipe_8192, {8, 8192, 10, 8, graph::ScheduleKind::gpipe})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(of_two_machines, gpipe_8192_64_stages, {64, 8192, 10, 8, graph::ScheduleKind::gpipe})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(of_two_machines, stages_64, {64, 64, 10})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(of_two_machines, stages_128, {128, 64, 10})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(of_two_machines, interleaved_2_rounds, {8, 32, 5, 8, graph::ScheduleKind::interleaved, 2})
    ->Unit(benchmark::kMicrosecond);

void event_engine(benchmark::State& state, sim::Asked::For asked) {
    const test::LayerGraph made{{4, 8, 4, state.range(0) / 4}};
    const auto engine = sim::engines().find("event")();
    std::uint64_t nodes = 0;
    for (auto _ : state) nodes += engine->play(made.graph, made.durations, {asked}).node_visits;
    state.counters["nodes/s"] = benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}
void of_ranks(benchmark::internal::Benchmark* each) {
    each->ArgName("ranks")->Arg(4)->Arg(32)->Arg(512)->Arg(4096)->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(event_engine, time, sim::Asked::For::time)->Apply(of_ranks);
BENCHMARK_CAPTURE(event_engine, parts, sim::Asked::For::parts)->Apply(of_ranks);

}  // namespace
}  // namespace dse
