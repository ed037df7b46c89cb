// What partitioning costs on one core: bytes of text a second of an unrolled, sharded StableHLO program of
// 20 MB, read and partitioned. Asked for: reading 100 MB/s, partitioning 20 MB/s.

#include <algorithm>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/readers/read_program.hpp"

namespace dse {
namespace {

/// One layer as JAX prints it: a gated product, a sum over its rows, and what repeats it.
std::string layer(int number) {
    return fmt::format(
        R"(    %h{0} = stablehlo.dot_general %x{1}, %w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x1024x2048xbf16>, tensor<2048x8192xbf16>) -> tensor<16x1024x8192xbf16>
    %z{0} = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<16x1024x8192xbf16>
    %r{0} = stablehlo.maximum %h{0}, %z{0} : tensor<16x1024x8192xbf16>
    %d{0} = stablehlo.dot_general %r{0}, %v, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x1024x8192xbf16>, tensor<8192x2048xbf16>) -> tensor<16x1024x2048xbf16>
    %s{0} = stablehlo.reduce(%d{0} init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<16x1024x2048xbf16>, tensor<bf16>) -> tensor<16x1024xbf16>
    %b{0} = stablehlo.broadcast_in_dim %s{0}, dims = [0, 1] : (tensor<16x1024xbf16>) -> tensor<16x1024x2048xbf16>
    %m{0} = stablehlo.subtract %d{0}, %b{0} : tensor<16x1024x2048xbf16>
    %x{0} = stablehlo.add %x{1}, %m{0} : tensor<16x1024x2048xbf16>
)",
        number, number - 1);
}

ir::Source step() {
    constexpr std::size_t size = 20'000'000;
    std::string text =
        R"(module @step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%x0: tensor<16x1024x2048xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {}]>}, %w: tensor<2048x8192xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %v: tensor<8192x2048xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<16x1024x2048xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
)";
    int layers = 0;
    while (text.size() < size) text += layer(++layers);
    text += fmt::format("    return %x{} : tensor<16x1024x2048xbf16>\n  }}\n}}\n", layers);
    return ir::Source::text(std::move(text), "step.mlir");
}

void BM_ReadSharded(benchmark::State& state) {
    const ir::Source source = step();
    for (auto _ : state) benchmark::DoNotOptimize(ir::read_program(source).values.size());
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * source.text().size()));
}
BENCHMARK(BM_ReadSharded)->Unit(benchmark::kMillisecond);

void BM_Partition(benchmark::State& state) {
    const ir::Source source = step();
    const ir::Program program = ir::read_program(source);
    for (auto _ : state) benchmark::DoNotOptimize(ir::partitioned(program).values.size());
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * source.text().size()));
}
BENCHMARK(BM_Partition)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
