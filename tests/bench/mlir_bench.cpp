// What reading MLIR costs on one core: bytes a second of an unrolled StableHLO program; and that literals
// take no memory.

#include <algorithm>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/peak_memory.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

/// One layer of an unrolled program as JAX prints it: 6 operations.
std::string layer(int number) {
    return fmt::format(
        R"(    %d{0} = stablehlo.dot_general %x{1}, %w, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x2048x4096xbf16>, tensor<4096x4096xbf16>) -> tensor<8x2048x4096xbf16>
    %n{0} = stablehlo.reduce(%d{0} init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x4096xbf16>, tensor<bf16>) -> tensor<8x2048xbf16>
    %b{0} = stablehlo.broadcast_in_dim %n{0}, dims = [0, 1] : (tensor<8x2048xbf16>) -> tensor<8x2048x4096xbf16>
    %m{0} = stablehlo.multiply %d{0}, %b{0} : tensor<8x2048x4096xbf16>
    %g{0} = "stablehlo.all_reduce"(%m{0}) <{{channel_handle = #stablehlo.channel_handle<handle = {0}, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}}> ({{
    ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
      %s = stablehlo.add %p, %q : tensor<bf16>
      stablehlo.return %s : tensor<bf16>
    }}) : (tensor<8x2048x4096xbf16>) -> tensor<8x2048x4096xbf16>
    %x{0} = stablehlo.add %x{1}, %g{0} : tensor<8x2048x4096xbf16>
)",
        number, number - 1);
}

std::string step(int layers) {
    std::string text = R"(module @step attributes {mhlo.num_partitions = 8 : i32} {
  func.func public @main(%x0: tensor<8x2048x4096xbf16>, %w: tensor<4096x4096xbf16>) -> tensor<8x2048x4096xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
)";
    for (int i = 1; i <= layers; ++i) text += layer(i);
    return text + fmt::format("    return %x{} : tensor<8x2048x4096xbf16>\n  }}\n}}\n", layers);
}

/// The same with a location an operation, each an alias at the end as JAX prints them.
std::string located(const std::string& text) {
    std::string result;
    std::string aliases;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        const bool is_operation = line.find(" = stablehlo.") != std::string::npos;
        result += is_operation ? fmt::format("{} loc(#loc{})\n", line, ++number) : line + "\n";
        if (is_operation)
            aliases += fmt::format(
                "#loc{} = loc(\"jit(train_step)/transpose(jvp(Decoder))/layers_{}/mlp/dot_general\"(#loc))\n",
                number, number / 6);
        begin = end + 1;
    }
    return "#loc = loc(unknown)\n" + result + aliases;
}

/// \param state  0: without locations; 1: with them
void BM_Read(benchmark::State& state) {
    const std::string text = step(8000);
    const auto source = ir::Source::text(state.range(0) == 0 ? text : located(text), "step.mlir");
    std::size_t operations = 0;
    for (auto _ : state) {
        const ir::Program program = ir::read_mlir(source);
        operations += program[program.entry].operations.size();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * source.text().size()));
    state.counters["operations/s"] =
        benchmark::Counter(static_cast<double>(operations), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Read)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// One constant of 100 MB as raw bytes on one line, and one as numbers on many.
void BM_Literals(benchmark::State& state) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("literals.mlir");
    {
        std::ofstream file(path);
        const std::string piece(1 << 20, 'A');
        std::string line;
        while (line.size() < piece.size()) line += "1.500000e+00,\n";
        file << "func.func @main() {\n  %0 = stablehlo.constant dense<\"0x";
        for (int i = 0; i < 100; ++i) file << piece;
        file << "\"> : tensor<13107200xf32>\n  %1 = stablehlo.constant dense<[";
        for (int i = 0; i < 100; ++i) file << line;
        file << "1.0]> : tensor<7490001xf32>\n  return\n}\n";
    }
    double grown = 0;
    std::int64_t bytes = 0;
    for (auto _ : state) {
        test::reset_peak_memory();
        const double before = test::peak_megabytes();
        const auto source = ir::Source::file(path);
        benchmark::DoNotOptimize(ir::read_mlir(source).computations.size());
        grown = std::max(grown, test::peak_megabytes() - before);
        bytes += static_cast<std::int64_t>(source.text().size());
    }
    state.SetBytesProcessed(bytes);
    state.counters["MB resident"] = grown;
}
BENCHMARK(BM_Literals)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
