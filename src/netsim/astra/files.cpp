#include "dse/netsim/astra/files.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/base/error.hpp"
#include "dse/base/nearest.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::DimensionKind;

void expect(bool holds, const char* key, const std::string& why) {
    if (!holds) throw InputError(fmt::format("{}: {}", key, why));
}

/// Parses one of a few names; the error for an unknown name suggests the nearest.
template <class Value, std::size_t N>
Value choice(const char* key, const std::string& name,
             const std::array<std::pair<const char*, Value>, N>& choices) {
    std::vector<std::string> known;
    for (const auto& [text, value] : choices) {
        if (name == text) return value;
        known.emplace_back(text);
    }
    if (name.empty()) {
        throw InputError(fmt::format("{}: must be given ({}): ASTRA-sim has no default for it", key,
                                     fmt::join(known, ", ")));
    }
    throw InputError(fmt::format("{}: unknown value '{}'{}", key, name, suggestion(name, known)));
}

/// Upper bound on link and endpoint delays, in nanoseconds: 1000 s.
constexpr double longest_delay = 1e12;
/// Each device has a trace of its own.
constexpr std::int64_t most_devices = std::int64_t{1} << 24;
/// Upper bound on the number of chunks, each of which is simulated. ASTRA-sim's own examples have up to 64.
constexpr std::int64_t most_splits = 1 << 16;

/// \param delay  in nanoseconds
void expect_delay(double delay, const char* key) {
    expect(delay >= 0.0, key, "must not be negative");
    expect(delay <= longest_delay, key, fmt::format("must be at most {:g} ns", longest_delay));
}
void expect_delay(std::int64_t delay, const char* key) {
    expect_delay(static_cast<double>(delay), key);
}

void add_dimensions(const AstraFiles& files, AstraSystem& system) {
    const std::size_t count = files.topology.size();
    expect(count >= 1 && count <= AstraSystem::most_dimensions, "topology",
           fmt::format("{} dimensions (1 to {} are known)", count, AstraSystem::most_dimensions));
    expect(files.npus_count.size() == count, "npus_count", "not as many as topology has dimensions");
    expect(files.bandwidth.size() == count, "bandwidth", "not as many as topology has dimensions");
    expect(files.latency.size() == count, "latency", "not as many as topology has dimensions");
    constexpr std::array<std::pair<const char*, DimensionKind>, 3> kinds{
        {{"Ring", DimensionKind::ring},
         {"Switch", DimensionKind::switched},
         {"FullyConnected", DimensionKind::fully_connected}}};
    std::int64_t devices = 1;
    for (std::size_t d = 0; d < count; ++d) {
        expect(files.npus_count[d] > 1, "npus_count", "a dimension joins at least two devices");
        expect(files.npus_count[d] <= most_devices / devices, "npus_count",
               fmt::format("more than {} devices", most_devices));
        devices *= files.npus_count[d];
        expect(files.bandwidth[d] > 0.0, "bandwidth", "must be above 0");
        expect_delay(files.latency[d], "latency");
        system.add(AstraDimension::of_file(choice("topology", files.topology[d], kinds), files.npus_count[d],
                                           files.bandwidth[d], files.latency[d]));
    }
}

void set_implementations(const AstraFiles& files, AstraSystem& system) {
    constexpr std::array<std::pair<const char*, CollectiveKind>, 4> keys{
        {{"all-reduce-implementation", CollectiveKind::all_reduce},
         {"all-gather-implementation", CollectiveKind::all_gather},
         {"reduce-scatter-implementation", CollectiveKind::reduce_scatter},
         {"all-to-all-implementation", CollectiveKind::all_to_all}}};
    for (const auto& [key, kind] : keys) {
        const auto& names = files.implementation[static_cast<std::size_t>(kind)];
        expect(names.size() <= system.dimension_count, key, "longer than topology");
        std::vector<AstraAlgorithm> algorithms;
        for (const std::string& name : names) {
            try {
                algorithms.push_back(parse_astra_algorithm(name));
            } catch (const InputError& error) {
                throw InputError(fmt::format("{}: {}", key, error.what()));
            }
        }
        system.set_algorithms(kind, algorithms);
    }
}

AstraCompute compute_of(const AstraFiles& files) {
    using Source = AstraCompute::Source;
    AstraCompute compute;
    compute.peak = files.peak_perf * 1e12;
    compute.bandwidth = files.local_mem_bw * 1e9;
    if (files.replay_only) {
        compute.source = Source::recorded_everything;
    } else if (files.roofline_enabled) {
        compute.source = Source::roofline;
        expect(files.peak_perf > 0.0, "peak-perf", "must be above 0 for a roofline");
    }
    return compute;
}

AstraBusRules bus_of(const AstraFiles& files) {
    const AstraBusRules& bus = files.bus;
    expect_delay(bus.latency, "L");
    expect_delay(bus.overhead, "o");
    expect_delay(bus.gap, "g");
    expect_delay(bus.per_byte, "G");
    expect_delay(bus.local_reduction, "local-reduction-delay");
    return bus;
}

AstraMemory memory_of(const AstraFiles& files) {
    using Kind = AstraMemory::Kind;
    constexpr std::array<std::pair<const char*, Kind>, 4> kinds{
        {{"NO_MEMORY_EXPANSION", Kind::none},
         {"PER_NPU_MEMORY_EXPANSION", Kind::per_npu},
         {"PER_NODE_MEMORY_EXPANSION", Kind::per_node},
         {"MEMORY_POOL", Kind::pool}}};
    AstraMemory memory;
    memory.kind = choice("memory-type", files.memory_type, kinds);
    if (memory.kind == Kind::none) return memory;
    expect_delay(files.remote_mem_latency, "remote-mem-latency");
    expect(files.remote_mem_bw >= 1.0, "remote-mem-bw", "must be given, and at least 1");
    memory.latency = files.remote_mem_latency;
    memory.bytes_per_tick = std::floor(files.remote_mem_bw);  // ASTRA-sim truncates it to a whole number
    if (memory.kind != Kind::per_node) return memory;
    expect(files.num_nodes >= 1, "num-nodes", "must be given, and at least 1");
    expect(files.num_npus_per_node >= 1, "num-npus-per-node", "must be given, and at least 1");
    memory.nodes = files.num_nodes;
    memory.node_size = files.num_npus_per_node;
    return memory;
}

}  // namespace

AstraSystem astra_system(const AstraFiles& files) {
    AstraSystem system;
    add_dimensions(files, system);
    set_implementations(files, system);
    expect(files.preferred_dataset_splits >= 1, "preferred-dataset-splits", "must be given, and at least 1");
    expect(files.preferred_dataset_splits <= most_splits, "preferred-dataset-splits",
           fmt::format("must be at most {}", most_splits));
    expect(files.active_chunks_per_dimension >= 1, "active-chunks-per-dimension", "must be at least 1");
    expect_delay(files.endpoint_delay, "endpoint-delay");
    expect(files.local_mem_bw > 0.0, "local-mem-bw", "must be given, and above 0");
    constexpr std::array<std::pair<const char*, AstraOptimization>, 2> optimizations{
        {{"baseline", AstraOptimization::baseline},
         {"localBWAware", AstraOptimization::local_bandwidth_aware}}};
    // Collectives from trace files have no dimensions to split over.
    const bool native =
        std::ranges::any_of(files.implementation, [](const auto& all) { return !all.empty(); });
    if (native || !files.collective_optimization.empty())
        system.optimization = choice("collective-optimization", files.collective_optimization, optimizations);
    system.splits = files.preferred_dataset_splits;
    system.active_chunks = files.active_chunks_per_dimension;
    system.endpoint_delay = files.endpoint_delay;
    system.reduction_bandwidth = files.local_mem_bw * 1e9;
    return system;
}

AstraMachine astra_machine(const AstraFiles& files) {
    constexpr std::array<std::pair<const char*, AstraPolicy>, 3> policies{
        {{"LIFO", AstraPolicy::lifo}, {"FIFO", AstraPolicy::fifo}, {"EXPLICIT", AstraPolicy::by_number}}};
    AstraMachine machine;
    machine.system = astra_system(files);
    machine.rules.policy = choice("scheduling-policy", files.scheduling_policy, policies);
    if (files.model_shared_bus) machine.rules.bus = bus_of(files);
    machine.compute = compute_of(files);
    machine.memory = memory_of(files);
    return machine;
}

}  // namespace dse::netsim
