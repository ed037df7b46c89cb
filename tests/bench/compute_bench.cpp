// What a product costs under each compute model, that none allocates, and what a layer costs on SCALE-Sim's
// files.

#include <limits>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/allocations.hpp"
#include "dse/model/compute/systolic/systolic_run.hpp"
#include "dse/model/registry.hpp"
#include "model/devices.hpp"
#include "model/works.hpp"

namespace dse::model {
namespace {

/// A device with what the model reads: measured kernels, or what was learned of them.
hardware::DeviceSpec device_for(const std::string& name) {
    return catalogue_device(name == "learned" ? "h100_sxm" : "tpu_v4");
}

void product(benchmark::State& state, const std::string& name) {
    const auto compute = compute_models().find(name)(device_for(name), Seconds{});
    graph::Compute work = matmul(1, 4096, 1024, 8192);
    const std::uint64_t before = allocations.load();
    for (auto _ : state) {
        work.gemm.m = work.gemm.m < 8192.0 ? work.gemm.m + 1.0 : 1.0;
        benchmark::DoNotOptimize(compute->time(work));
    }
    state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocations.load() - before),
                                                       benchmark::Counter::kAvgIterations);
}

const int registered = [] {
    for (const auto& row : compute_models().rows()) {
        benchmark::RegisterBenchmark(
            ("product/" + row.name).c_str(),
            [model = std::string{row.name}](benchmark::State& state) { product(state, model); });
    }
    return 0;
}();

/// 1024 cubed on 128 × 128, which takes SCALE-Sim 45 s.
void scale_sim_layer(benchmark::State& state) {
    const OperandBuffer buffer{1 << 20, std::numeric_limits<double>::infinity()};
    const ScaleSimArchitecture architecture{
        "x", {128, 128, hardware::Dataflow::ws}, InterfaceBandwidth::calc, {buffer, buffer, buffer}};
    const SystolicLayer layer = product_layer("p", 1024, 1024, 1024);
    for (auto _ : state) benchmark::DoNotOptimize(run_layer(architecture, layer));
}
BENCHMARK(scale_sim_layer);

}  // namespace
}  // namespace dse::model
