#include "dse/netsim/astra/read_files.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "support/schedule_files.hpp"
#include "support/temporary_folder.hpp"

namespace dse::netsim {
namespace {

using graph::CollectiveKind;
using testing::HasSubstr;

constexpr const char* network =
    "topology: [ Ring, Switch ]\nnpus_count: [ 4, 2 ]\n"
    "bandwidth: [ 50.0, 25.0 ]  # GB/s\nlatency: [ 500, 1000 ]\n";
constexpr const char* memory = R"({"memory-type": "PER_NODE_MEMORY_EXPANSION", "remote-mem-latency": 1000,
    "remote-mem-bw": 50, "num-nodes": 2, "num-npus-per-node": 4})";

std::string system_with(const std::string& more) {
    return R"({"scheduling-policy": "FIFO", "endpoint-delay": 7, "active-chunks-per-dimension": 2,
        "preferred-dataset-splits": 4, "all-reduce-implementation": ["ring", "halvingDoubling"],
        "all-gather-implementation": ["ring", "direct2"], "reduce-scatter-implementation": ["ring", "ring"],
        "all-to-all-implementation": ["ring", "direct"], "collective-optimization": "baseline",
        "local-mem-bw": 2039, "roofline-enabled": 1, "peak-perf": 312)" +
           more + "}";
}

class ReadAstraFiles : public testing::Test {
  protected:
    AstraMachine read(const std::string& system, const std::string& net = network) {
        const auto write = [this](const std::string& name, const std::string& text) {
            std::ofstream{folder_.path(name)} << text;
            return folder_.path(name);
        };
        diagnostics_ = {};
        return read_astra_machine(
            {write("net.yml", net), write("sys.json", system), write("mem.json", memory)}, diagnostics_);
    }
    std::string error_of(const std::string& system, const std::string& net = network) {
        try {
            read(system, net);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }

    test::TemporaryFolder folder_;
    config::Diagnostics diagnostics_;
};

TEST_F(ReadAstraFiles, as_they_are) {
    const AstraMachine machine = read(system_with(""));
    EXPECT_EQ(machine.system.npus(), 8);
    EXPECT_DOUBLE_EQ(machine.system.all_dimensions[0].bytes_per_tick, 50.0 * 1.073741824);
    EXPECT_EQ(machine.system.all_dimensions[1].kind, hardware::DimensionKind::switched);
    EXPECT_EQ(machine.system.algorithms_of(CollectiveKind::all_gather).all[1].window, 2);
    EXPECT_EQ(machine.system.endpoint_delay, 7);
    EXPECT_EQ(machine.system.splits, 4);
    EXPECT_EQ(machine.system.active_chunks, 2);
    EXPECT_EQ(machine.system.optimization, AstraOptimization::baseline);
    EXPECT_EQ(machine.rules.policy, AstraPolicy::fifo);
    EXPECT_EQ(machine.compute.source, AstraCompute::Source::roofline);
    EXPECT_DOUBLE_EQ(machine.compute.peak, 312e12);
    EXPECT_DOUBLE_EQ(machine.compute.bandwidth, 2039e9);
    EXPECT_EQ(machine.memory.kind, AstraMemory::Kind::per_node);
    EXPECT_EQ(machine.memory.delay(100), 1002);
    EXPECT_TRUE(diagnostics_.all().empty()) << diagnostics_.text();
}

TEST_F(ReadAstraFiles, replay_only_goes_before_the_roofline) {
    EXPECT_EQ(read(system_with(R"(, "replay-only": 1)")).compute.source,
              AstraCompute::Source::recorded_everything);
    EXPECT_EQ(read(system_with(R"(, "replay-only": 0)")).compute.source, AstraCompute::Source::roofline);
}

TEST_F(ReadAstraFiles, warn_of_keys_that_nobody_reads) {
    read(system_with(R"(, "intra-dimension-scheduling": "FIFO", "endpoint-dellay": 3)"));
    ASSERT_EQ(diagnostics_.all().size(), 2U);
    EXPECT_THAT(diagnostics_.text(),
                HasSubstr("intra-dimension-scheduling: ASTRA-sim does not read this key"));
    EXPECT_THAT(diagnostics_.text(), HasSubstr("did you mean 'endpoint-delay'?"));
    EXPECT_THAT(diagnostics_.text(), HasSubstr("sys.json:5"));
}

TEST_F(ReadAstraFiles, the_bus_of_a_device_where_it_is_on) {
    EXPECT_FALSE(read(system_with(R"(, "model-shared-bus": 0, "L": 3)")).rules.bus.has_value());
    const AstraMachine machine =
        read(system_with(R"(, "model-shared-bus": 1, "L": 3, "o": 4, "g": 5, "G": 0.5)"));
    ASSERT_TRUE(machine.rules.bus.has_value());
    EXPECT_EQ(machine.rules.bus->latency, 3);
    EXPECT_EQ(machine.rules.bus->overhead, 4);
    EXPECT_EQ(machine.rules.bus->gap, 5);
    EXPECT_EQ(machine.rules.bus->per_byte, 0.5);
    EXPECT_EQ(machine.rules.bus->local_reduction, 1);
    EXPECT_THAT(error_of(system_with(R"(, "model-shared-bus": 1, "g": -5)")), HasSubstr("g: must not be"));
}

TEST_F(ReadAstraFiles, collectives_from_trace_files) {
    const std::string ring = write_schedule(folder_, "ring", test::ring_bytes(8, 800, 1));
    folder_.write("nodes.yml", "7: " + ring + "\n-1: " + ring + "\n");
    // Nothing but what ASTRA-sim needs for such collectives.
    const std::string least =
        R"({"scheduling-policy": "FIFO", "preferred-dataset-splits": 1, "local-mem-bw": 50,
        "all-reduce-implementation-custom": [")" +
        ring + R"("], "per-node-custom-implementation": ")" + folder_.path("nodes.yml") + "\"}";
    const AstraMachine machine = read(least);
    const AstraSchedule* schedule = machine.schedules.find(CollectiveKind::all_reduce, 1);
    ASSERT_NE(schedule, nullptr);
    EXPECT_EQ(schedule->schedule.members.size(), 8U);
    EXPECT_EQ(machine.schedules.find(CollectiveKind::all_to_all, 7), schedule) << "files are read once";
    EXPECT_EQ(machine.schedules.find(CollectiveKind::all_to_all, 8), nullptr);
    EXPECT_TRUE(diagnostics_.all().empty()) << diagnostics_.text();
}

TEST_F(ReadAstraFiles, say_what_is_wrong_with_collectives_from_trace_files) {
    EXPECT_THAT(error_of(system_with(R"(, "all-reduce-implementation-custom": ["nowhere/ring"])")),
                HasSubstr("nowhere/ring"));
    EXPECT_THAT(error_of(system_with(R"(, "all-reduce-implementation-custom": ["a", "b"])")),
                HasSubstr("one prefix covers all dimensions"));
    folder_.write("nodes.yml", "seven: x\n");
    EXPECT_THAT(
        error_of(system_with(R"(, "per-node-custom-implementation": ")" + folder_.path("nodes.yml") + '"')),
        testing::AllOf(HasSubstr("nodes.yml:1"), HasSubstr("node ids are integers")));
}

TEST_F(ReadAstraFiles, say_what_is_wrong_and_where) {
    EXPECT_THAT(error_of(system_with(""), "{\"logical-dims\": [\"8\"]}"),
                HasSubstr("ASTRA-sim's ns-3 network"));
    EXPECT_THAT(
        error_of(system_with(""), "topology: [ Rng ]\nnpus_count: [ 4 ]\nbandwidth: [ 1 ]\nlatency: [ 1 ]"),
        HasSubstr("unknown value 'Rng' (did you mean 'Ring'?)"));
    EXPECT_THAT(error_of(system_with(""), "topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ x ]"),
                testing::AllOf(HasSubstr("net.yml:3"), HasSubstr("latency: missing")));
    EXPECT_THAT(error_of("{}"), HasSubstr("sys.json:1:1: error: preferred-dataset-splits: must be given"));
}

/// What is wrong with a value is known when all three files have been read.
TEST_F(ReadAstraFiles, name_the_file_and_the_line_of_a_value) {
    const auto of_network = [&](const std::string& npus, const std::string& bandwidth) {
        return error_of(system_with(""), "topology: [ Ring, Switch ]\nnpus_count: " + npus +
                                             "\nbandwidth: " + bandwidth + "\nlatency: [ 1, 1 ]\n");
    };
    EXPECT_THAT(of_network("[ 4, 2 ]", "[ 50 ]"),
                HasSubstr("net.yml:3:12: error: bandwidth: not as many as topology has dimensions"));
    EXPECT_THAT(of_network("[ 4294967296, 4294967296 ]", "[ 50, 50 ]"),
                HasSubstr("net.yml:2:13: error: npus_count: more than 16777216 devices"));
    EXPECT_THAT(error_of(R"({"preferred-dataset-splits": 1, "local-mem-bw": 1,
        "all-gather-implementation": ["ring", "foo"]})"),
                HasSubstr("sys.json:2:38: error: all-gather-implementation: unknown collective "
                          "implementation 'foo'"));
}

TEST_F(ReadAstraFiles, warn_of_dimensions_without_an_algorithm) {
    const auto warnings_of = [&](const std::string& algorithms) {
        read(R"({"scheduling-policy": "FIFO", "preferred-dataset-splits": 1, "local-mem-bw": 50,
            "collective-optimization": "baseline", "all-reduce-implementation": )" +
             algorithms + "}");
        return diagnostics_.text();
    };
    EXPECT_THAT(warnings_of(R"(["ring"])"),
                HasSubstr("all-reduce-implementation: names 1 of 2 dimensions: collectives of all devices"));
    EXPECT_EQ(warnings_of(R"(["ring", "ring"])"), "");
    EXPECT_EQ(warnings_of(R"(["oneRing"])"), "") << "a ring over all devices";
}

}  // namespace
}  // namespace dse::netsim
