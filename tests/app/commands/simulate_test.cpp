#include <algorithm>
#include <filesystem>
#include <fstream>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

// Also tests: replay_report.cpp, shared_machine.cpp, simulated_timeline.cpp, compressible_file.cpp

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
    const Outcome point = run_app(
        {"point", folder_.path("tiny.yaml"), "--set", "cluster.device.overlap.compute_slowdown=1", "--json"});
    ASSERT_EQ(point.code, 0) << point.err;
    // Kernels are recorded in whole microseconds, and a replay takes them as recorded, also beside
    // communication; all else is the same machine.
    const double expected = point.json()["metrics"]["iteration_time"];
    EXPECT_NEAR(traced.json()["time"].get<double>(), expected, 2e-3 * expected);
    EXPECT_FALSE(traced.json().contains("ticks"));
}

/// Names of processes in a timeline, in their order, and the end of its last event in seconds.
std::pair<std::vector<std::string>, double> timeline_of(const std::string& path) {
    std::ifstream file{path};
    const auto events = nlohmann::json::parse(file).at("traceEvents");
    std::pair<std::vector<std::string>, double> result;
    for (const auto& event : events) {
        if (event["name"] == "process_name") result.first.push_back(event["args"]["name"]);
        if (event["ph"] == "X")
            result.second =
                std::max(result.second, 1e-6 * (event["ts"].get<double>() + event["dur"].get<double>()));
    }
    return result;
}

TEST_F(SimulateCommand, TimelinesShowWhenEachNodeRan) {
    const std::string file = folder_.path("timeline.json");
    const auto simulate = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"simulate", folder_.path("t"), "--timeline",
                                           file,       "--force",         "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_app(arguments);
    };
    const Outcome machine = simulate({"--system", "h100_ndr400"});
    ASSERT_EQ(machine.code, 0) << machine.err;
    auto [ranks, end] = timeline_of(file);
    EXPECT_EQ(ranks.size(), 8U);
    EXPECT_EQ(ranks.front(), "rank 0");
    EXPECT_NEAR(end, machine.json()["time"].get<double>(), 1e-8);

    const Outcome astra = run({"--timeline", file, "--timeline-ranks", "1,4-5", "--force", "--json"});
    ASSERT_EQ(astra.code, 0) << astra.err;
    EXPECT_THAT(astra.err, HasSubstr("of 8 ranks it shows 3"));
    EXPECT_EQ(astra.json()["ticks"], run({"--json"}).json()["ticks"]) << "as without a timeline";
    std::tie(ranks, end) = timeline_of(file);
    EXPECT_EQ(ranks, (std::vector<std::string>{"rank 1", "rank 4", "rank 5"}));
    EXPECT_LE(end, astra.json()["time"].get<double>() + 1e-8);

    const Outcome jobs = run_app({"simulate", folder_.path("t"), folder_.path("t"), "--system", "h100_ndr400",
                                  "--timeline", file, "--timeline-ranks", "0", "--force"});
    ASSERT_EQ(jobs.code, 0) << jobs.err;
    EXPECT_EQ(timeline_of(file).first, std::vector<std::string>(2, folder_.path("t") + " rank 0"));

    EXPECT_EQ(run({"--timeline", file}).code, 2) << "it exists";
    EXPECT_EQ(run({"--timeline", folder_.path("t.3.et"), "--force"}).code, 2) << "its own input";
    EXPECT_THAT(simulate({"--system", "h100_ndr400", "--timeline-ranks", "8"}).err, HasSubstr("rank 8"));
}

TEST_F(SimulateCommand, SeveralJobsShareAMachine) {
    folder_.write("thin.yaml", R"(base: h100_ndr400
network:
  scale_out: {oversubscription: 8}
  topology: {kind: fat_tree, leaf_devices: 8}
)");
    const auto simulate = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"simulate", folder_.path("t"), folder_.path("t"), "--kernels",
                                   "recorded-first", "--system", folder_.path("thin.yaml")});
        return run_app(more);
    };
    const Outcome packed = simulate({"--json"});
    ASSERT_EQ(packed.code, 0) << packed.err;
    const auto jobs = packed.json()["jobs"];
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(packed.json()["devices"], 16);
    EXPECT_EQ(jobs[1]["devices"].front(), 8);
    EXPECT_EQ(jobs[1]["ranks"].size(), 8U);
    for (const auto& job : jobs) EXPECT_DOUBLE_EQ(job["slowdown"], 1.0) << "each has a domain of its own";

    const Outcome table = simulate({"--placement", "interleaved"});
    EXPECT_THAT(table.out, HasSubstr("2 jobs on 16 devices, whose links they share"));
    EXPECT_THAT(table.out, HasSubstr("slowdown"));

    EXPECT_THAT(simulate({"--network", "latency_bandwidth"}).err, HasSubstr("several jobs need flow"));
    EXPECT_THAT(simulate({"--comm-groups", folder_.path("t.json")}).err, HasSubstr("PREFIX.json of each"));
    EXPECT_THAT(
        run_app({"simulate", folder_.path("t"), "--system", "h100_ndr400", "--placement", "packed"}).err,
        HasSubstr("--placement is for several jobs"));
    EXPECT_THAT(
        run_app({"simulate", folder_.path("t"), folder_.path("t"), "--astra-network", folder_.path("net.yml"),
                 "--astra-system", folder_.path("sys.json"), "--astra-memory", folder_.path("mem.json")})
            .err,
        HasSubstr("several jobs share one of --system"));
}

/// A trace of one kernel. \return its path
std::string kernel_trace(const TemporaryFolder& folder, const std::string& name, const std::string& micros) {
    return folder.write(
        name,
        R"({"workload_graph": [{"Id": 1, "Name": "kernel", "NodeType": 4, "runtime": )" + micros + "}]}");
}

TEST_F(SimulateCommand, JobsOfVeryDifferentLengthAreRefused) {
    const std::string day = kernel_trace(folder_, "day.json", "86400000000");
    const std::string moment = kernel_trace(folder_, "moment.json", "1");
    const std::string nothing = kernel_trace(folder_, "nothing.json", "0");
    const auto simulate = [&](const std::string& first, const std::string& second) {
        return run_app({"simulate", first, second, "--system", "h100_ndr400"}).err;
    };
    EXPECT_THAT(simulate(day, moment),
                HasSubstr("would have 8.64e+10 iterations until one of '" + day + "'"));
    EXPECT_THAT(simulate(day, nothing), HasSubstr("job '" + nothing + "': rank 0: record 2"));
}

/// One layout, with its global batch.
struct AstraLayout {
    std::string name;
    int devices;
    int batch;
    std::string axes;
};

/// A point under astra_sim, and the play of the trace that is written of it: the same tick. The model has the
/// table of its embedding on the first and the last stage, which add their gradients.
class TemplateUnderAstraSim : public testing::TestWithParam<AstraLayout> {
  protected:
    /// \return the point's and the trace's ticks
    std::pair<double, double> ticks() {
        const AstraLayout& layout = GetParam();
        const std::string file = folder_.write(
            "astra.yaml",
            "name: astra\nworkload: {model: megatron_1.7b, global_batch: " + std::to_string(layout.batch) +
                ", sequence: 2048}\nsystem: {cluster: h100_ndr400, devices: " +
                std::to_string(layout.devices) + "}\naxes: {microbatch: [1], " + layout.axes +
                "}\nfidelity: {network: astra_sim}\n");
        EXPECT_EQ(run_app({"trace", file, "-o", folder_.path("a")}).code, 0);
        const Outcome point = run_app({"point", file, "--json"});
        const Outcome traced = run_app({"simulate", folder_.path("a"), "--system", "h100_ndr400", "--network",
                                        "astra_sim", "--comm-groups", folder_.path("a.json"), "--json"});
        EXPECT_EQ(traced.code, 0) << traced.err;
        return {point.json()["metrics"]["iteration_time"].get<double>() * 1e9,
                traced.json()["ticks"].get<double>()};
    }
    TemporaryFolder folder_;
};

TEST_P(TemplateUnderAstraSim, IsItsTraceTickForTick) {
    const auto [point, trace] = ticks();
    EXPECT_GT(point, 1e6);
    EXPECT_NEAR(point, trace, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, TemplateUnderAstraSim,
    testing::Values(AstraLayout{"tp", 8, 8, "tp: [8], zero: [0]"},
                    AstraLayout{"dp", 8, 16, "dp: [8], zero: [0]"},
                    AstraLayout{"zero_1", 8, 16, "dp: [8], zero: [1]"},
                    AstraLayout{"zero_2", 8, 16, "dp: [8], zero: [2]"},
                    AstraLayout{"zero_3", 8, 16, "dp: [8], zero: [3], prefetch: [2]"},
                    AstraLayout{"pp", 8, 16, "pp: [8], zero: [0]"},
                    AstraLayout{"gpipe", 8, 16, "pp: [8], zero: [0], schedule: [gpipe]"},
                    AstraLayout{"interleaved", 8, 8,
                                "pp: [4], dp: [2], virtual_stages: [2], zero: [1], schedule: [interleaved]"},
                    AstraLayout{"zero_bubble", 8, 8, "pp: [4], tp: [2], zero: [0], schedule: [zb_h1]"},
                    AstraLayout{"offload", 8, 8,
                                "tp: [2], pp: [2], dp: [2], zero: [1], offload: [activations]"},
                    AstraLayout{"tp_dp", 16, 16, "tp: [4], dp: [4], zero: [1]"},
                    AstraLayout{"cp", 16, 8, "cp: [4], tp: [2], dp: [2], zero: [1]"},
                    AstraLayout{"three", 16, 8, "tp: [2], pp: [4], dp: [2], zero: [1]"},
                    AstraLayout{"three_zero_3", 32, 16, "tp: [4], pp: [2], dp: [4], zero: [3]"},
                    AstraLayout{"many", 64, 32, "tp: [4], pp: [4], dp: [4], zero: [1]"}),
    [](const testing::TestParamInfo<AstraLayout>& layout) { return layout.param.name; });

/// A compiler's program and the devices that it is for.
struct AstraProgram {
    std::string name;
    std::string file;
    int devices;
};

/// 16 devices in two nodes: reductions among all, in a node and between nodes, some of which wait for no
/// other; a queue a communicator would run them beside each other.
constexpr const char* three_groups = R"(HloModule step, num_partitions=16

add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

ENTRY main {
  x = f32[2048,2048] parameter(0)
  all = f32[2048,2048] all-reduce(x), replica_groups=[1,16]<=[16], channel_id=1, use_global_device_ids=true, to_apply=add
  y = f32[2048,2048] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  node = f32[2048,2048] all-reduce(y), replica_groups=[2,8]<=[16], channel_id=2, use_global_device_ids=true, to_apply=add
  turned = f32[2048,2048] all-to-all(x), replica_groups=[8,2]<=[2,8]T(1,0), dimensions={0}, channel_id=3
  z = f32[2048,2048] dot(node, turned), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  pair = f32[2048,2048] all-reduce(z), replica_groups=[8,2]<=[2,8]T(1,0), channel_id=4, use_global_device_ids=true, to_apply=add
  ROOT result = (f32[2048,2048], f32[2048,2048]) tuple(all, pair)
}
)";

class ProgramUnderAstraSim : public testing::TestWithParam<AstraProgram> {
  protected:
    std::string sweep() {
        const AstraProgram& program = GetParam();
        const std::string file =
            program.file.empty() ? folder_.write("groups.hlo", three_groups) : program.file;
        return folder_.write("p.yaml", "name: p\nworkload: {ir: " + file +
                                           ", global_batch: 8}\nsystem: {cluster: dgx_b200, devices: " +
                                           std::to_string(program.devices) +
                                           "}\naxes: {launch_factor: [1]}\n"
                                           "fidelity: {network: astra_sim}\n");
    }
    TemporaryFolder folder_;
};

TEST_P(ProgramUnderAstraSim, IsItsTraceTickForTick) {
    const std::string file = sweep();
    ASSERT_EQ(run_app({"trace", file, "-o", folder_.path("a")}).code, 0);
    const Outcome point = run_app({"point", file, "--json"});
    const Outcome traced =
        run_app({"simulate", folder_.path("a"), "--system", "dgx_b200", "--network", "astra_sim", "--json"});
    ASSERT_EQ(traced.code, 0) << traced.err;
    const double ticks = point.json()["metrics"]["iteration_time"].get<double>() * 1e9;
    EXPECT_GT(ticks, 1e5);
    EXPECT_NEAR(ticks, traced.json()["ticks"].get<double>(), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Captures, ProgramUnderAstraSim,
    testing::Values(AstraProgram{"three_groups", "", 16},
                    AstraProgram{"torch", "torch/llama3_8b_fsdp2_tp8.fx.gz", 16},
                    AstraProgram{"loop", "jax/llama3_8b_fsdp4_tp2.after_spmd.hlo.gz", 8}),
    [](const testing::TestParamInfo<AstraProgram>& program) { return program.param.name; });

TEST_F(SimulateCommand, SaysWhatItShouldRunOn) {
    const Outcome nothing = run_app({"simulate", folder_.path("t")});
    EXPECT_EQ(nothing.code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("name the machine"));
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
