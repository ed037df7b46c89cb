// What a collective costs under each network model, and that none allocates once it is warm.

#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/allocations.hpp"
#include "dse/netsim/registry.hpp"
#include "model/devices.hpp"

namespace dse::model {
namespace {

using graph::CollectiveKind;

/// Groups of eight devices of a domain, and of 32 devices in four domains.
void collective(benchmark::State& state, const std::string& name, CollectiveKind kind, std::int64_t data) {
    const auto network = netsim::network_models().find(name)(catalogue_cluster("h100_ndr400").network);
    const graph::Mesh mesh = graph::Mesh::dense(1, 1, data, 1);
    graph::Collective work{.kind = kind, .axes = graph::MeshAxis::data, .size = Bytes{16e6}};
    benchmark::DoNotOptimize(network->collective(work, mesh));
    const std::uint64_t before = allocations.load();
    for (auto _ : state) {
        work.size += Bytes{1024.0};
        benchmark::DoNotOptimize(network->collective(work, mesh));
    }
    state.counters["allocations"] = benchmark::Counter(static_cast<double>(allocations.load() - before),
                                                       benchmark::Counter::kAvgIterations);
}

const int registered = [] {
    for (const auto& row : netsim::network_models().rows()) {
        for (const CollectiveKind kind :
             {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::all_to_all}) {
            for (const std::int64_t data : {8, 32}) {
                const std::string name =
                    std::string{row.name} + "/" + std::string{graph::name(kind)} + "/" + std::to_string(data);
                benchmark::RegisterBenchmark(
                    name.c_str(), [model = std::string{row.name}, kind, data](benchmark::State& state) {
                        collective(state, model, kind, data);
                    });
            }
        }
    }
    return 0;
}();

}  // namespace
}  // namespace dse::model
