#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "dse/space/grid_cursor.hpp"
#include "dse/space/sampler.hpp"
#include "dse/space/space_count.hpp"
#include "dse/symbolic/expression.hpp"

/// What a sweep costs before anything is simulated: compiling its expressions (once), finding its points,
/// counting them for `dse plan`.
namespace {

using namespace dse;

/// A layout sweep of 1,024 devices: 1,658,880 grid points.
const char* const layouts = R"(axes:
  devices: [1024]
  global_batch: [1024]
  tp: [1, 2, 4, 8]
  pp: [1, 2, 4, 8, 16, 32]
  microbatch: {from: 1, to: 16, scale: log2}
  virtual_stages: [1, 2, 3, 4]
  layers: [80]
  zero: [0, 1, 2, 3]
  recompute: [none, selective, full]
  schedule: [gpipe, 1f1b, interleaved]
  sequence_parallel: [false, true]
  bandwidth: {from: 50.0, to: 800.0, count: 16}
  domain: [8, 16, 32]
derive:
  dp: devices / (tp * pp)
require:
  - devices % (tp * pp) == 0
  - global_batch % (dp * microbatch) == 0
  - layers % (pp * virtual_stages) == 0
  - virtual_stages == 1 or (schedule == 'interleaved' and pp > 1)
  - zero == zero and recompute == recompute
  - not sequence_parallel or tp > 1
  - bandwidth >= 100
  - domain >= tp
)";

std::shared_ptr<const space::Space> compile(const std::string& yaml) {
    const config::FieldIndex no_fields;
    config::Diagnostics diagnostics;
    const config::Node root = config::parse_yaml(yaml, "bench", diagnostics);
    space::SweepSpec spec = space::read_sweep(root, no_fields, diagnostics);
    auto compiled = space::Space::compile(std::move(spec), no_fields, diagnostics);
    diagnostics.throw_if_any();
    return std::make_shared<const space::Space>(std::move(*compiled));
}

void parse_expression(benchmark::State& state) {
    symbolic::SymbolTable symbols;
    for (const char* name : {"global_batch", "dp", "microbatch"})
        symbols.add(name, symbolic::ValueType::integer);
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            symbolic::Expression::parse("global_batch % (dp * microbatch) == 0", symbols));
    }
}
BENCHMARK(parse_expression);

void evaluate_expression(benchmark::State& state) {
    symbolic::SymbolTable symbols;
    for (const char* name : {"global_batch", "dp", "microbatch"})
        symbols.add(name, symbolic::ValueType::integer);
    const auto expression = symbolic::Expression::parse("global_batch % (dp * microbatch) == 0", symbols);
    double values[] = {1024.0, 32.0, 4.0};
    for (auto _ : state) {
        benchmark::DoNotOptimize(values);
        benchmark::DoNotOptimize(expression.evaluate(values));
    }
}
BENCHMARK(evaluate_expression);

void compile_sweep(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(compile(layouts));
}
BENCHMARK(compile_sweep)->Unit(benchmark::kMicrosecond);

/// Items: points in the space. Ids passed: all of the grid.
void walk_grid(benchmark::State& state) {
    const auto layout_space = compile(layouts);
    const std::uint64_t size = *layout_space->grid_size().exact;
    std::int64_t points = 0;
    space::Point point;
    for (auto _ : state) {
        space::GridCursor cursor(*layout_space, 0, size);
        while (cursor.next(point)) ++points;
    }
    state.SetItemsProcessed(points);
    state.counters["ids"] = benchmark::Counter(
        static_cast<double>(size) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(walk_grid)->Unit(benchmark::kMillisecond);

void check_one_id(benchmark::State& state) {
    const auto layout_space = compile(layouts);
    const std::uint64_t size = *layout_space->grid_size().exact;
    space::Point point;
    std::uint64_t id = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(layout_space->point(id, point));
        id = (id + 104729) % size;
    }
}
BENCHMARK(check_one_id);

void draw_points(benchmark::State& state, const std::string& method) {
    const auto sampler = space::make_sampler(
        compile(layouts + ("search: {method: " + method + ", budget: 20000, seed: 1}\n")));
    std::int64_t points = 0;
    space::Point point;
    for (auto _ : state) {
        const auto stream = sampler->points(0, sampler->size());
        while (stream->next(point)) ++points;
    }
    state.SetItemsProcessed(points);
}
BENCHMARK_CAPTURE(draw_points, random, "random")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_points, sobol, "sobol")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_points, latin_hypercube, "latin_hypercube")->Unit(benchmark::kMillisecond);

void count_layouts(benchmark::State& state) {
    const auto layout_space = compile(layouts);
    for (auto _ : state) benchmark::DoNotOptimize(space::count(*layout_space));
}
BENCHMARK(count_layouts)->Unit(benchmark::kMicrosecond);

/// 10^15 points in one group that cannot be listed: the worst case of `dse plan`.
void estimate_count(benchmark::State& state) {
    const auto huge = compile(
        "axes:\n  a: {from: 1, to: 100000}\n  b: {from: 1, to: 100000}\n  c: {from: 1, to: 100000}\n"
        "require: [a <= b + c, c % 4 == 0]\n");
    for (auto _ : state) benchmark::DoNotOptimize(space::count(*huge));
}
BENCHMARK(estimate_count)->Unit(benchmark::kMillisecond);

}  // namespace
