// Reading PyTorch's graphs: the largest shipped capture, 80 layers of Llama-3 70B written out one after
// another.

#include <benchmark/benchmark.h>

#include "dse/ir/readers/fx/read_fx.hpp"
#include "support/source_dir.hpp"

namespace {

using namespace dse;

// bytes_per_second has to be 100 MB/s or more.
void reads_a_training_step(benchmark::State& state) {
    const ir::Source source =
        ir::Source::file(DSE_SOURCE_DIR "/workloads/captures/torch/llama3_70b_fsdp8.fx.gz");
    for (auto _ : state) {
        const ir::Program program = ir::read_fx(source);
        benchmark::DoNotOptimize(program.values.data());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(source.text().size()));
}
BENCHMARK(reads_a_training_step)->Unit(benchmark::kMillisecond);

}  // namespace
