#include <filesystem>

#include <gmock/gmock.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

// Also tests: replay_report.cpp

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::Outcome;
using test::run_app;
using testing::HasSubstr;

/// The exported traces of 8 devices: tp 2, pp 2, dp 2.
class SimulateCommand : public testing::Test {
  protected:
    void SetUp() override {
        const std::string sweep = folder_.write(
            "tiny.yaml", test::tiny_sweep("axes: {tp: [2], pp: [2], microbatch: [2], zero: [1]}\n"));
        ASSERT_EQ(run_app({"trace", sweep, "-o", folder_.path("t")}).code, 0);
        write_network("[Ring]", "[8]", "[50]", "[500]");
        folder_.write("sys.json", R"({"scheduling-policy": "LIFO", "preferred-dataset-splits": 2,
            "all-reduce-implementation": ["ring"], "all-gather-implementation": ["ring"],
            "reduce-scatter-implementation": ["ring"], "all-to-all-implementation": ["ring"],
            "collective-optimization": "localBWAware", "local-mem-bw": 2039})");
        folder_.write("mem.json", R"({"memory-type": "NO_MEMORY_EXPANSION"})");
    }
    void write_network(const std::string& topology, const std::string& npus, const std::string& bandwidth,
                       const std::string& latency) {
        folder_.write("net.yml", "topology: " + topology + "\nnpus_count: " + npus +
                                     "\nbandwidth: " + bandwidth + "\nlatency: " + latency + "\n");
    }
    Outcome run(std::vector<std::string> more) {
        std::vector<std::string> arguments{
            "simulate",       folder_.path("t"),        "--astra-network", folder_.path("net.yml"),
            "--astra-system", folder_.path("sys.json"), "--astra-memory",  folder_.path("mem.json")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_app(arguments);
    }

    TemporaryFolder folder_;
};

TEST_F(SimulateCommand, PlaysTracesWithTheFilesOfAstraSim) {
    const Outcome outcome = run({"--comm-groups", folder_.path("t.json"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["schema"], 1);
    ASSERT_EQ(json["ranks"].size(), 8U);
    const std::int64_t ticks = json["ticks"];
    EXPECT_GT(ticks, 1000);
    EXPECT_DOUBLE_EQ(json["time"], static_cast<double>(ticks) * 1e-9);
    for (const auto& rank : json["ranks"]) {
        EXPECT_LE(rank["ticks"], ticks);
        EXPECT_GT(rank["exposed_communication_ticks"], 0);
        EXPECT_LT(rank["exposed_communication_ticks"], rank["ticks"]);
    }
    const Outcome table = run({"--comm-groups", folder_.path("t.json")});
    EXPECT_THAT(table.out, HasSubstr(std::to_string(ticks) + " ticks of ASTRA-sim"));
    EXPECT_THAT(table.out, HasSubstr("4-7")) << "equal answers of the last stage share a line";
}

TEST_F(SimulateCommand, SharesLinksWhereItIsToldTo) {
    const auto time = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--comm-groups", folder_.path("t.json"), "--json"});
        const Outcome outcome = run(more);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json()["ticks"].get<std::int64_t>();
    };
    const std::int64_t alone = time({});
    EXPECT_GT(time({"--astra-congestion-aware"}), alone);
    EXPECT_GT(time({"--astra-rendezvous"}), alone);
}

TEST_F(SimulateCommand, PlaysTracesOnAMachineAsThePointThatTheyComeFrom) {
    const Outcome traced = run_app({"simulate", folder_.path("t"), "--system", "h100_ndr400", "--comm-groups",
                                    folder_.path("t.json"), "--json"});
    ASSERT_EQ(traced.code, 0) << traced.err;
    const Outcome point = run_app({"point", folder_.path("tiny.yaml"), "--json"});
    ASSERT_EQ(point.code, 0) << point.err;
    // Kernels are recorded in whole microseconds; all else is the same machine.
    const double expected = point.json()["metrics"]["iteration_time"];
    EXPECT_NEAR(traced.json()["time"].get<double>(), expected, 2e-3 * expected);
    EXPECT_FALSE(traced.json().contains("ticks"));
}

/// Where a rank has one communication at a time anyway, and no host to wait for: ASTRA-sim knows no others.
TEST_F(SimulateCommand, IsTheTemplateUnderAstraSimTickForTick) {
    const auto sweep = [&](const std::string& axes) {
        return folder_.write("astra.yaml",
                             "name: astra\n"
                             "workload: {model: megatron_1.7b, global_batch: 8, sequence: 2048}\n"
                             "system: {cluster: h100_ndr400, devices: 8}\n"
                             "axes: {" +
                                 axes +
                                 ", microbatch: [1], zero: [0]}\n"
                                 "fidelity: {network: astra_sim}\n");
    };
    for (const std::string axes : {"tp: [8]", "dp: [8]"}) {
        const std::string file = sweep(axes);
        ASSERT_EQ(run_app({"trace", file, "-o", folder_.path("a")}).code, 0);
        const Outcome point = run_app({"point", file, "--json"});
        const Outcome traced = run_app({"simulate", folder_.path("a"), "--system", "h100_ndr400", "--network",
                                        "astra_sim", "--comm-groups", folder_.path("a.json"), "--json"});
        ASSERT_EQ(traced.code, 0) << traced.err;
        const double ticks = point.json()["metrics"]["iteration_time"].get<double>() * 1e9;
        EXPECT_NEAR(ticks, traced.json()["ticks"].get<double>(), 1e-3) << axes;
    }
}

TEST_F(SimulateCommand, SaysWhatItShouldRunOn) {
    const Outcome nothing = run_app({"simulate", folder_.path("t")});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("say what the traces run on"));
    EXPECT_EQ(run({"--system", "h100_ndr400"}).code, 2) << "either, not both";
}

TEST_F(SimulateCommand, TakesTheGroupsThatLieBesideTheTraces) {
    const Outcome named = run({"--comm-groups", folder_.path("t.json"), "--json"});
    const Outcome beside = run({"--json"});
    ASSERT_EQ(beside.code, 0) << beside.err;
    EXPECT_EQ(beside.out, named.out);
}

TEST_F(SimulateCommand, TellsBeforePlayingWhatCannotBePlayed) {
    std::filesystem::remove(folder_.path("t.json"));
    for (const Outcome& outcome :
         {run({}), run_app({"simulate", folder_.path("t"), "--system", "h100_ndr400"})}) {
        EXPECT_EQ(outcome.code, 2);
        EXPECT_THAT(outcome.err, HasSubstr("unknown group"));
        EXPECT_THAT(outcome.err, HasSubstr("--comm-groups FILE"));
    }
    // One stage alone: its messages go to ranks that are not there.
    const Outcome alone = run_app({"simulate", folder_.path("t.0.et"), "--system", "h100_ndr400"});
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("bad peer"));
}

TEST_F(SimulateCommand, SaysWhatIsMissing) {
    write_network("[Ring]", "[16]", "[50]", "[500]");
    Outcome outcome = run({});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("8 traces for 16 devices"));
    write_network("[Ring, Ring]", "[4, 2]", "[50, 50]", "[500, 500]");
    outcome = run({"--astra-congestion-aware"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("one dimension, not 2"));
}

}  // namespace
}  // namespace dse::app
