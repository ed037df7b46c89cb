// What sharing links costs: flows a second, and that steady traffic allocates nothing.

#include <random>

#include <benchmark/benchmark.h>

#include "bench/allocations.hpp"
#include "dse/netsim/flow_model.hpp"
#include "support/star.hpp"

namespace dse {
namespace {

/// Plays batches of messages, each begun at once and to its end.
template <class Batch>
void play(benchmark::State& state, test::Star& star, Batch batch) {
    star.play(batch());
    const std::uint64_t before = allocations;
    std::int64_t flows = 0;
    for (auto _ : state) {
        const std::vector<test::Message>& messages = batch();
        star.play(messages);
        flows += static_cast<std::int64_t>(messages.size());
    }
    state.counters["allocations"] =
        benchmark::Counter(static_cast<double>(allocations - before), benchmark::Counter::kAvgIterations);
    state.SetItemsProcessed(flows);
}

void ring_step(benchmark::State& state) {
    test::Star star{state.range(0)};
    const std::vector<test::Message> messages = test::ring_step(state.range(0));
    play(
        state, star, [&]() -> const auto& { return messages; });
}
BENCHMARK(ring_step)->RangeMultiplier(2)->Range(128, 8192);

void all_to_all(benchmark::State& state) {
    test::Star star{state.range(0)};
    const std::vector<test::Message> messages = test::all_to_all(state.range(0));
    play(
        state, star, [&]() -> const auto& { return messages; });
}
BENCHMARK(all_to_all)->RangeMultiplier(2)->Range(64, 256);

/// Sizes differ, so that every end is a solve of its own.
void uneven_all_to_all(benchmark::State& state) {
    test::Star star{state.range(0)};
    const std::vector<test::Message> messages = test::uneven(test::all_to_all(state.range(0)), 1);
    play(
        state, star, [&]() -> const auto& { return messages; });
}
BENCHMARK(uneven_all_to_all)->Arg(16)->Arg(32)->Arg(64);

hardware::NetworkSpec rails() {
    hardware::NetworkSpec network;
    network.scale_up.link = {BytesPerSecond{450e9}, Seconds{1e-6}, 1.0};
    network.scale_up.domain = 8;
    network.scale_out.link = {BytesPerSecond{50e9}, Seconds{8e-6}, 1.0};
    network.topology.kind = hardware::TopologyKind::rail;
    return network;
}

/// All-reduce of 1 GiB over all devices of rail-optimised nodes, as a point of a sweep asks for it.
void collective(benchmark::State& state) {
    const netsim::FlowModel network{rails()};
    const graph::Mesh mesh = graph::Mesh::dense(1, 1, state.range(0), 1);
    graph::Collective work;
    work.axes = graph::MeshAxis::data;
    work.size = Bytes{1073741824.0};
    for (auto _ : state) benchmark::DoNotOptimize(network.collective(work, mesh));
}
BENCHMARK(collective)->Arg(64)->Arg(256)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dse
