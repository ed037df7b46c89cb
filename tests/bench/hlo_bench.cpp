// What reading HLO costs on one core: bytes a second of an unrolled training step, with its metadata and
// without; that literals take no memory; what a program's costs take; and, where $DSE_CONFORMANCE has it, the
// import of a real one.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bench/peak_memory.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "support/temporary_folder.hpp"

namespace dse {
namespace {

using namespace ir;

/// One layer of an unrolled decoder as XLA prints it after partitioning: 12 instructions.
std::string layer(int number, const std::string& metadata) {
    return fmt::format(
        R"(  %all-gather.{0} = bf16[4096,14336]{{1,0}} all-gather(%w), channel_id={0}, replica_groups=[16,8]<=[8,16]T(1,0), dimensions={{0}}, use_global_device_ids=true{1}
  %dot.{0} = bf16[8192,14336]{{1,0}} dot(%x.{2}, %all-gather.{0}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}{1}
  %convert.{0} = f32[8192,14336]{{1,0}} convert(%dot.{0}){1}
  %negate.{0} = f32[8192,14336]{{1,0}} negate(%convert.{0}){1}
  %exponential.{0} = f32[8192,14336]{{1,0}} exponential(%negate.{0}){1}
  %add.{0} = f32[8192,14336]{{1,0}} add(%exponential.{0}, %ones){1}
  %divide.{0} = f32[8192,14336]{{1,0}} divide(%convert.{0}, %add.{0}){1}
  %convert.b.{0} = bf16[8192,14336]{{1,0}} convert(%divide.{0}){1}
  %dot.b.{0} = bf16[8192,4096]{{1,0}} dot(%convert.b.{0}, %all-gather.{0}), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}{1}
  %reduce.{0} = f32[8192]{{0}} reduce(%divide.{0}, %zero), dimensions={{1}}, to_apply=%sum{1}
  %multiply.{0} = bf16[8192,4096]{{1,0}} multiply(%dot.b.{0}, %dot.b.{0}){1}
  %x.{0} = bf16[8192,4096]{{1,0}} add(%x.{2}, %multiply.{0}){1}
)",
        number, metadata, number - 1);
}

std::string training_step(int layers, bool metadata) {
    std::string text =
        "HloModule step, num_partitions=128\n\n"
        "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
        "  ROOT %s = f32[] add(%a, %b)\n}\n\nENTRY %main {\n"
        "  %x.0 = bf16[8192,4096]{1,0} parameter(0)\n  %w = bf16[512,14336]{1,0} parameter(1)\n"
        "  %zero = f32[] constant(0)\n  %ones = f32[8192,14336]{1,0} broadcast(%zero), dimensions={}\n";
    for (int i = 1; i <= layers; ++i)
        text += layer(
            i,
            metadata
                ? fmt::format(
                      ", metadata={{op_name=\"jit(train_step)/transpose(jvp(Decoder))/layers_{}/mlp/"
                      "dot_general\" source_file=\"/models/decoder.py\" source_line=214 stack_frame_id={}}}",
                      i, i)
                : "");
    return text + "}\n";
}

void read(benchmark::State& state, bool metadata) {
    const Source source = Source::text(training_step(4000, metadata), "step.hlo");
    std::size_t operations = 0;
    for (auto _ : state) {
        const Program program = read_hlo(source);
        operations += program[program.entry].operations.size();
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * source.text().size()));
    state.counters["instructions/s"] =
        benchmark::Counter(static_cast<double>(operations), benchmark::Counter::kIsRate);
}

void BM_Read(benchmark::State& state) {
    read(state, true);
}
BENCHMARK(BM_Read)->Unit(benchmark::kMillisecond);

void BM_ReadWithoutMetadata(benchmark::State& state) {
    read(state, false);
}
BENCHMARK(BM_ReadWithoutMetadata)->Unit(benchmark::kMillisecond);

void BM_Costs(benchmark::State& state) {
    const Program program = read_hlo(Source::text(training_step(4000, false), "step.hlo"));
    for (auto _ : state) benchmark::DoNotOptimize(program_cost(program).once.flops);
}
BENCHMARK(BM_Costs)->Unit(benchmark::kMillisecond);

/// One constant of 100 MB between two instructions.
void BM_Literal(benchmark::State& state) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("literal.hlo");
    {
        std::ofstream file(path);
        file << "ENTRY main {\n  %c = f32[12500000]{0} constant({";
        std::string line;
        for (int i = 0; i < 1250; ++i) line += "0.12345,\n";
        for (int i = 0; i < 10'000; ++i) file << line;
        file << "1})\n  ROOT %n = f32[12500000]{0} negate(%c)\n}\n";
    }
    double grown = 0;
    std::int64_t bytes = 0;
    for (auto _ : state) {
        test::reset_peak_memory();
        const double before = test::peak_megabytes();
        const Source source = Source::file(path);
        benchmark::DoNotOptimize(read_hlo(source).computations.size());
        grown = std::max(grown, test::peak_megabytes() - before);
        bytes += static_cast<std::int64_t>(source.text().size());
    }
    state.SetBytesProcessed(bytes);
    state.counters["MB resident"] = grown;
}
BENCHMARK(BM_Literal)->Unit(benchmark::kMillisecond);

/// The training step of Llama 3.1 405B on 128 devices: file to costs.
void BM_Import405B(benchmark::State& state) {
    const char* folder = std::getenv("DSE_CONFORMANCE");
    const std::string path =
        std::string{folder == nullptr ? "" : folder} + "/ir/hlo/xla_hlo_llama31_405b_bf16_16x8.hlo";
    if (folder == nullptr || !std::ifstream(path)) {
        state.SkipWithError("DSE_CONFORMANCE has no such file");
        return;
    }
    for (auto _ : state) {
        const Program program = read_hlo(Source::file(path));
        benchmark::DoNotOptimize(program_cost(program).by_trips.flops);
    }
}
BENCHMARK(BM_Import405B)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
