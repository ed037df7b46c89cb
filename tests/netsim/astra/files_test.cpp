#include "dse/netsim/astra/files.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using hardware::Algorithm;
using hardware::DimensionKind;

AstraFiles example() {
    AstraFiles files;
    files.topology = {"Ring", "Switch"};
    files.npus_count = {4, 8};
    files.bandwidth = {200.0, 50.0};
    files.latency = {50.0, 500.0};
    files.implementation.fill({"ring", "halvingDoubling"});
    files.implementation[static_cast<std::size_t>(CollectiveKind::all_to_all)] = {"ring", "direct4"};
    files.preferred_dataset_splits = 16;
    files.active_chunks_per_dimension = 2;
    files.local_mem_bw = 1600.0;
    files.collective_optimization = "localBWAware";
    return files;
}

TEST(AstraFiles, become_the_parameters_of_a_system) {
    const AstraSystem system = astra_system(example());
    EXPECT_EQ(system.npus(), 32);
    EXPECT_EQ(system.all_dimensions[1].kind, DimensionKind::switched);
    EXPECT_EQ(system.all_dimensions[1].latency, 500.0);
    EXPECT_EQ(system.algorithms_of(CollectiveKind::all_reduce).all[1].algorithm, Algorithm::halving_doubling);
    EXPECT_EQ(system.algorithms_of(CollectiveKind::all_to_all).all[1].window, 4);
    EXPECT_EQ(system.splits, 16);
    EXPECT_EQ(system.active_chunks, 2);
    EXPECT_EQ(system.endpoint_delay, 10);
    EXPECT_EQ(system.reduction_bandwidth, 1.6e12);
    EXPECT_EQ(system.optimization, AstraOptimization::local_bandwidth_aware);
}

TEST(AstraFiles, hold_whole_gigabytes_a_second_of_remote_memory) {
    AstraFiles files = example();
    files.scheduling_policy = "LIFO";
    files.memory_type = "PER_NPU_MEMORY_EXPANSION";
    files.remote_mem_latency = 100;
    files.remote_mem_bw = 55.9;
    EXPECT_EQ(astra_machine(files).memory.delay(5500), 200);
    files.remote_mem_bw = 0.9;
    EXPECT_THROW(astra_machine(files), InputError);
}

/// What is said of files that are wrong in one place.
template <class Change>
std::string error_of(Change change) {
    AstraFiles files = example();
    change(files);
    try {
        astra_system(files);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(AstraFiles, name_the_key_that_is_wrong) {
    EXPECT_EQ(error_of([](AstraFiles& files) { files.topology[1] = "Swich"; }),
              "topology: unknown value 'Swich' (did you mean 'Switch'?)");
    EXPECT_EQ(
        error_of([](AstraFiles& files) { files.collective_optimization.clear(); }),
        "collective-optimization: must be given (baseline, localBWAware): ASTRA-sim has no default for it");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.latency.pop_back(); }),
              "latency: not as many as topology has dimensions");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.npus_count[0] = 1; }),
              "npus_count: a dimension joins at least two devices");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.bandwidth[0] = 0.0; }), "bandwidth: must be above 0");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.preferred_dataset_splits = 0; }),
              "preferred-dataset-splits: must be given, and at least 1");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.preferred_dataset_splits = 1'048'576; }),
              "preferred-dataset-splits: must be at most 65536");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.latency[0] = 9e18; }),
              "latency: must be at most 1e+12 ns");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.endpoint_delay = 9'000'000'000'000'000'000; }),
              "endpoint-delay: must be at most 1e+12 ns");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.local_mem_bw = 0.0; }),
              "local-mem-bw: must be given, and above 0");
    EXPECT_EQ(error_of([](AstraFiles& files) {
                  files.implementation[0] = {"ring", "ring", "ring"};
              }),
              "all-reduce-implementation: longer than topology");
    EXPECT_EQ(error_of([](AstraFiles& files) { files.implementation[0] = {"rang"}; }),
              "all-reduce-implementation: unknown collective implementation 'rang' (did you mean 'ring'?)");
    EXPECT_NE(error_of([](AstraFiles& files) { files.collective_optimization = ""; }), "");
    EXPECT_NE(error_of([](AstraFiles& files) { files.topology.assign(7, "Ring"); }), "");
}

}  // namespace
}  // namespace dse::netsim
