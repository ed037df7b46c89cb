// Also tests: commands/et.cpp, trace_arguments.cpp, et/info.cpp, et/check.cpp, et/repair.cpp, subcommands.cpp
// Also tests: et/diff.cpp, et/dot.cpp, et/json.cpp, et/kineto.cpp, et/printed_trace.cpp, et/rewriting.cpp
// Also tests: et/msccl.cpp, bytes_option.cpp
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "app/text_table.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::Outcome;
using test::run_app;

/// The traces of a small job, as `dse trace` writes them: 8 devices, tp 2, pp 2, dp 2.
class EtCommand : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<dse::test::TemporaryFolder>();
        write("a", "1");
        write("b", "2");
    }
    static void TearDownTestSuite() { folder_.reset(); }
    static void write(const std::string& name, const std::string& microbatch) {
        const std::string sweep = folder_->write(
            "tiny.yaml", test::tiny_sweep("axes: {tp: [2], pp: [2], microbatch: [1, 2], zero: [1]}\n"));
        const Outcome outcome =
            run_app({"trace", sweep, "--set", "microbatch=" + microbatch, "-o", path(name)});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
    }
    static std::string path(const std::string& name) { return folder_->path(name); }

    static std::unique_ptr<dse::test::TemporaryFolder> folder_;
};
std::unique_ptr<dse::test::TemporaryFolder> EtCommand::folder_;

TEST_F(EtCommand, DotDrawsANodeAndItsNeighbours) {
    const std::string trace = path("a.0.et");
    const Outcome outcome = run_app({"et", "dot", trace, "--around", "5", "--steps", "1"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out.rfind("digraph trace {\n", 0), 0U);
    EXPECT_NE(outcome.out.find("  5 [label="), std::string::npos);
    EXPECT_EQ(run_app({"et", "dot", trace, "-o", path("a.dot"), "--most", "100000"}).code, 0);
    EXPECT_EQ(run_app({"et", "dot", trace, "-o", path("a.dot")}).code, 2) << "it exists";
    EXPECT_EQ(run_app({"et", "dot", trace, "-o", trace, "--force"}).code, 2) << "its own input";
    EXPECT_EQ(run_app({"et", "dot", trace, "--steps", "1"}).code, 2) << "around what?";
    EXPECT_EQ(run_app({"et", "dot", trace, "--most", "3"}).code, 2);
}

/// An all-reduce among two ranks: each sends its vector whole, and adds the other's to it.
constexpr const char* exchange_xml =
    R"(<algo name="exchange" nchunksperloop="1" ngpus="2" coll="allreduce" inplace="1">
  <gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="1" recv="1" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrc" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
  <gpu id="1" i_chunks="1" o_chunks="1" s_chunks="0">
    <tb id="0" send="0" recv="0" chan="0">
      <step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
      <step s="1" type="rrc" srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
  </gpu>
</algo>
)";

TEST_F(EtCommand, MscclConvertsAnAlgorithmToASchedule) {
    const std::string algorithm = folder_->write("exchange.xml", exchange_xml);
    const Outcome outcome =
        run_app({"et", "msccl", algorithm, "--bytes", "8 MB", "-o", path("exchange"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["wrong"], 0);
    EXPECT_EQ(outcome.json()["most_sent"], 1.0);
    // A network takes it as a collective's algorithm: one message each way at the same time, 8 MB at 1 GB/s.
    const std::string cluster = folder_->write("pair.yaml", R"(base: h100_ndr400
network:
  scale_up: {bandwidth: 1 GB/s, latency: 0 s, efficiency: 1}
  collective: {launch: 0 s, message_launch: 0 s, schedules: [{collective: all_reduce, prefix: exchange, size: 8 MB}]}
)");
    const Outcome predicted = run_app(
        {"collective", "all_reduce", "--bytes", "8MB", "--ranks", "2", "--system", cluster, "--json"});
    ASSERT_EQ(predicted.code, 0) << predicted.err;
    bool found = false;
    const auto json = predicted.json();
    for (const auto& row : json["rows"]) {
        if (row["model"] != "latency_bandwidth" ||
            !row["algorithm"].get<std::string>().starts_with("schedule"))
            continue;
        found = true;
        EXPECT_NEAR(row["time"].get<double>(), 8e-3, 1e-5);
    }
    EXPECT_TRUE(found) << predicted.out;
}

TEST_F(EtCommand, MscclSaysWhatIsWrongWithAnAlgorithm) {
    std::string text = exchange_xml;
    text.replace(text.find("rrc"), 3, "r");
    const std::string algorithm = folder_->write("wrong.xml", text);
    const Outcome outcome = run_app({"et", "msccl", algorithm});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("wrong: 1 chunk, for example chunk 0 of rank 0 is 1.0, not 0.0 + 1.0"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(run_app({"et", "msccl", algorithm, "-o", path("x")}).code, 2) << "of which size?";
    EXPECT_EQ(run_app({"et", "msccl", algorithm, "-o", path("x"), "--bytes", "8"}).code, 2) << "no unit";
}

TEST_F(EtCommand, InfoAddsUpOverRanks) {
    const Outcome outcome = run_app({"et", "info", path("a"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["ranks"], 8);
    EXPECT_EQ(json["programs"], 2);  // a pipeline stage each
    ASSERT_EQ(json["rows"].size(), 2U);
    EXPECT_EQ(json["rows"][0]["ranks"], 4);
    EXPECT_EQ(json["rows"][1]["rank"], 4);
    EXPECT_GT(json["rows"][0]["num_ops"], 0);
    EXPECT_GT(json["rows"][0]["critical_path"]["time"], 0.0);
    double sent = 0;
    double received = 0;
    for (const auto& row : json["communication"]) {
        if (row["kind"] == "comm_send") sent += row["bytes"].get<double>();
        if (row["kind"] == "comm_recv") received += row["bytes"].get<double>();
        if (row["kind"] == "reduce_scatter") {
            EXPECT_EQ(row["members"], 2);
        }
    }
    EXPECT_GT(sent, 0);
    EXPECT_EQ(sent, received);
}

TEST_F(EtCommand, InfoForPeople) {
    const std::string text = run_app({"et", "info", path("a")}).out;
    for (const char* part : {"8 ranks, 2 different programs, schema 1.0.0", "rank 4 and 3 like it",
                             "critical path", "stream 0", "reduce_scatter"})
        EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
}

TEST_F(EtCommand, InfoFitsANarrowTerminal) {
    setenv("COLUMNS", "40", 1);
    const Outcome outcome = run_app({"et", "info", path("a")});
    unsetenv("COLUMNS");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines{outcome.out};
    for (std::string line; std::getline(lines, line);) {
        // A path without blanks stays whole.
        if (line.find(folder_->path("")) == std::string::npos) {
            EXPECT_LE(display_width(line), 40U) << line;
        }
    }
}

TEST_F(EtCommand, OurOwnTracesAreInOrder) {
    const Outcome outcome = run_app({"et", "check", path("a"), "--json"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.json()["ok"], true);
    EXPECT_EQ(outcome.json()["rows"].size(), 0U) << outcome.out;
    EXPECT_NE(run_app({"et", "check", path("a")}).out.find("ok (8 ranks)"), std::string::npos);
}

/// `dse check` takes a rank's trace as it takes any file; the groups of its job lie beside it.
TEST_F(EtCommand, CheckOfFilesKnowsTraces) {
    const Outcome sound = run_app({"check", path("a.3.et")});
    EXPECT_EQ(sound.code, 0) << sound.out;
    EXPECT_NE(sound.out.find("ok (trace)"), std::string::npos);
    std::filesystem::create_directory(path("alone"));
    std::filesystem::copy_file(path("a.3.et"), path("alone/a.3.et"));
    const Outcome alone = run_app({"check", path("alone/a.3.et"), folder_->write("b.et", "no trace")});
    EXPECT_EQ(alone.code, 1);
    EXPECT_NE(alone.out.find("error: unknown group"), std::string::npos);
    EXPECT_NE(alone.out.find("is not a Chakra trace"), std::string::npos);
}

TEST_F(EtCommand, CheckSaysNoToAJobThatCannotRun) {
    // The ranks of one job with the groups of nobody, and one rank replaced by another's.
    const std::string groups = folder_->write("none.json", "{}");
    const Outcome unknown = run_app({"et", "check", path("a"), "--comm-groups", groups});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_NE(unknown.out.find("error: unknown group"), std::string::npos) << unknown.out;
    std::filesystem::create_directories(path("mixed"));
    for (int rank = 0; rank < 8; ++rank) {
        const std::string file = "." + std::to_string(rank == 5 ? 1 : rank) + ".et";
        std::filesystem::copy_file(path("a" + file), path("mixed/a." + std::to_string(rank) + ".et"));
    }
    const Outcome mixed =
        run_app({"et", "check", path("mixed/a"), "--comm-groups", path("a.json"), "--json"});
    EXPECT_EQ(mixed.code, 1);
    std::vector<std::string> kinds;
    const auto json = mixed.json();
    for (const auto& row : json["rows"]) kinds.push_back(row["kind"]);
    for (const char* kind : {"not a member", "members disagree", "receive without send"})
        EXPECT_NE(std::find(kinds.begin(), kinds.end(), kind), kinds.end()) << kind;
}

TEST_F(EtCommand, CheckTellsOfADamagedFileAndLooksAtTheOthers) {
    std::filesystem::create_directories(path("cut"));
    for (int rank = 0; rank < 8; ++rank) {
        const std::string file = "." + std::to_string(rank) + ".et";
        std::filesystem::copy_file(path("a" + file), path("cut/a" + file));
    }
    std::filesystem::copy_file(path("a.json"), path("cut/a.json"));
    const std::string damaged = path("cut/a.5.et");
    std::filesystem::resize_file(damaged, std::filesystem::file_size(damaged) - 3);
    const Outcome outcome = run_app({"et", "check", path("cut/a")});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.out.find("error: bad record, 1 time"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("a.5.et' is damaged: record"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("members disagree"), std::string::npos) << outcome.out;
    // Half a job is not repaired.
    const Outcome repair = run_app({"et", "repair", path("cut/a"), "-o", path("cut/repaired")});
    EXPECT_EQ(repair.code, 2);
    EXPECT_EQ(repair.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("cut/repaired.0.et")));
}

TEST_F(EtCommand, ARepairedJobHasItsGroupsBesideIt) {
    const std::string copy = path("no/such/folder/b");
    EXPECT_EQ(run_app({"et", "repair", path("a"), "-o", copy}).code, 0);
    EXPECT_EQ(run_app({"et", "check", copy}).code, 0);
    const Outcome again = run_app({"et", "repair", path("a"), "-o", copy});
    EXPECT_EQ(again.code, 2) << "what is there is not written over";
}

TEST_F(EtCommand, NamesThatLeadToTracesAreFound) {
    const std::string folder = path("");
    EXPECT_NE(run_app({"et", "check", folder}).err.find("did you mean '"), std::string::npos);
    std::filesystem::create_directories(path("some"));
    for (const char* rank : {"0", "4"})
        std::filesystem::copy_file(path(std::string{"a."} + rank + ".et"),
                                   path(std::string{"some/a."} + rank + ".et"));
    EXPECT_NE(run_app({"et", "check", path("some/a")}).err.find("name one file: '" + path("some/a.0.et")),
              std::string::npos);
    const Outcome one = run_app({"simulate", path("a.0.et"), "--system", "h100_ndr400"});
    EXPECT_NE(one.err.find("did you mean all of them, '" + path("a") + "'?"), std::string::npos) << one.err;
}

TEST_F(EtCommand, InfoCountsARankOnceHoweverManyGroupsItIsIn) {
    const auto json = run_app({"et", "info", path("a"), "--json"}).json();
    for (const auto& row : json["communication"]) EXPECT_LE(row["ranks"].get<int>(), 8);
    EXPECT_EQ(run_app({"et", "info", path("a")}).out.find("1 groups"), std::string::npos);
}

TEST_F(EtCommand, DiffFindsDifferences) {
    const Outcome same = run_app({"et", "diff", path("a"), path("a")});
    EXPECT_EQ(same.code, 0);
    EXPECT_EQ(same.out, "no difference (8 ranks)\n");
    const Outcome other = run_app({"et", "diff", path("a"), path("b"), "--json"});
    EXPECT_EQ(other.code, 1);
    EXPECT_EQ(other.json()["same"], false);
    EXPECT_EQ(other.json()["rows"].size(), 8U);
    const Outcome text = run_app({"et", "diff", path("a.0.et"), path("b.0.et")});
    EXPECT_EQ(text.code, 1);
    EXPECT_NE(text.out.find("rank 0: "), std::string::npos);
    const Outcome ranks = run_app({"et", "diff", path("a"), path("a.0.et")});
    EXPECT_EQ(ranks.code, 1);
    EXPECT_NE(ranks.out.find("8 ranks in the first, 1 in the second"), std::string::npos);
}

TEST_F(EtCommand, JsonHasANodeALine) {
    const Outcome outcome = run_app({"et", "json", path("a.0.et")});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream lines{outcome.out};
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
        EXPECT_TRUE(nlohmann::json::parse(line).is_object());
    const auto info = run_app({"et", "info", path("a.0.et"), "--json"}).json();
    EXPECT_EQ(count, info["rows"][0]["nodes"].get<std::size_t>() + 1);
    EXPECT_EQ(run_app({"et", "json", path("a.0.et"), "-o", path("a.jsonl")}).code, 0);
    EXPECT_EQ(dse::test::read_file(path("a.jsonl")), outcome.out);
}

/// Two ranks, a second apart; each launches a kernel of 30 µs and an all-reduce, whose 8 µs rank 1 waits for.
TEST_F(EtCommand, KinetoWritesTracesOfProfiles) {
    const auto profile = [](int rank, int start, int all_reduce) {
        const std::string name = "p" + std::to_string(rank) + ".json";
        return folder_->write(
            name, fmt::format(R"({{"distributedInfo": {{"rank": {}, "world_size": 2}}, "traceEvents": [
            {{"ph": "X", "cat": "cuda_runtime", "name": "launch", "tid": 1, "ts": {}, "dur": 2, "args": {{"correlation": 1}}}},
            {{"ph": "X", "cat": "kernel", "name": "gemm", "tid": 7, "ts": {}, "dur": 30, "args": {{"stream": 7, "correlation": 1}}}},
            {{"ph": "X", "cat": "cuda_runtime", "name": "launch", "tid": 1, "ts": {}, "dur": 2, "args": {{"correlation": 2}}}},
            {{"ph": "X", "cat": "kernel", "name": "ncclKernel_AllReduce", "tid": 7, "ts": {}, "dur": {}, "args": {{"stream": 7,
              "correlation": 2, "Collective name": "allreduce", "In msg nelems": 10, "dtype": "Float",
              "Process Group Name": "1", "Process Group Ranks": "[0, 1]"}}}}]}})",
                              rank, start, start + 2, start + 4, start + 32, all_reduce));
    };
    // Rank 0 begins 100 µs before rank 1, so that its all-reduce takes 100 µs longer.
    const Outcome outcome =
        run_app({"et", "kineto", profile(1, 1100, 8), profile(0, 1000, 108), "-o", path("k"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    ASSERT_EQ(json["rows"].size(), 2U);
    EXPECT_EQ(json["rows"][0]["rank"], 0);
    EXPECT_DOUBLE_EQ(json["rows"][0]["recorded"], 140e-6);
    EXPECT_DOUBLE_EQ(json["rows"][0]["replayed"], 140e-6);
    EXPECT_DOUBLE_EQ(json["rows"][0]["replayed_together"], 140e-6);
    EXPECT_DOUBLE_EQ(json["rows"][1]["replayed_together"], 40e-6);
    EXPECT_EQ(json["rows"][1]["collectives"], 1);
    const Outcome check = run_app({"et", "check", path("k"), "--json"});
    EXPECT_EQ(check.code, 0) << check.out;
    const auto info = run_app({"et", "info", path("k"), "--json"}).json();
    EXPECT_EQ(info["communication"][0]["members"], 2);
    EXPECT_EQ(info["communication"][0]["bytes"], 80.0);
    EXPECT_NE(run_app({"et", "kineto", path("p0.json")}).out.find("+0.00 %"), std::string::npos);
    const std::string host = folder_->write("host.json", R"({"nodes": [{"name": "record_param_comms", "id": 1,
        "inputs": {"values": [[1, 2, 0, 10, 4, "cuda:0"], "broadcast"]}}]})");
    const Outcome other = run_app({"et", "kineto", path("p0.json"), "--host-traces", host});
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("records other iterations than"), std::string::npos) << other.err;
    EXPECT_EQ(run_app({"et", "kineto", path("p0.json"), "--host-traces", host, host}).code, 2);
    const Outcome twice = run_app({"et", "kineto", path("p0.json"), path("p0.json")});
    EXPECT_EQ(twice.code, 2);
    EXPECT_NE(twice.err.find("are both profiles of rank 0"), std::string::npos);
}

TEST_F(EtCommand, RepairLeavesSoundTracesAsTheyAre) {
    const Outcome outcome = run_app({"et", "repair", path("a"), "-o", path("r"), "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    ASSERT_EQ(json["rows"].size(), 8U);
    EXPECT_EQ(json["rows"][3]["ordered"], 0);
    EXPECT_EQ(run_app({"et", "diff", path("a"), path("r")}).code, 0);
    EXPECT_NE(
        run_app({"et", "repair", path("a.0.et"), "-o", path("one")}).out.find("one.0.et: 0 dependencies"),
        std::string::npos);
    EXPECT_EQ(run_app({"et", "repair", path("a"), "-o", path("a")}).code, 2);
}

TEST_F(EtCommand, RepairTakesTheGroupsAlong) {
    ASSERT_EQ(run_app({"et", "repair", path("a"), "-o", path("new/r"), "--json"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(path("new/r.json")));
    EXPECT_EQ(run_app({"et", "check", path("new/r")}).code, run_app({"et", "check", path("a")}).code);
}

TEST_F(EtCommand, KinetoWantsWorkOfADevice) {
    const std::string host_only = folder_->write(
        "host.json", R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1,
            "ts": 10, "dur": 5, "args": {}}]})");
    const Outcome outcome = run_app({"et", "kineto", host_only});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_NE(outcome.err.find("records nothing that ran on a device"), std::string::npos);
}

TEST_F(EtCommand, SaysWhatIsMissing) {
    EXPECT_EQ(run_app({"et", "info", path("nothing")}).code, 2);
    EXPECT_NE(run_app({"et", "info", path("nothing")}).err.find("nothing.<rank>.et'"), std::string::npos);
    EXPECT_NE(run_app({"et", "check"}).err.find("see dse et check --help"), std::string::npos);
    EXPECT_NE(run_app({"et", "check", "x", "--jsn"}).err.find("did you mean '--json'"), std::string::npos);
    EXPECT_EQ(run_app({"et"}).code, 2);
    EXPECT_NE(run_app({"et", "--help"}).out.find("info"), std::string::npos);
    EXPECT_EQ(run_app({"et", "json", path("a.0.et"), "-o", "/nowhere/x"}).code, 2);
}

/// Its groups have members of which there is no trace.
TEST_F(EtCommand, ObfuscatesOneRankOfAJob) {
    std::filesystem::create_directory(path("alone"));
    const Outcome outcome =
        run_app({"et", "obfuscate", path("a.0.et"), "-o", path("alone/x"), "--salt", "x"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("these traces cannot be simulated there"), std::string::npos) << outcome.out;
}

TEST_F(EtCommand, WritesNoTraceOverItself) {
    for (const char* part : {"repair", "obfuscate"}) {
        for (const std::string& itself : {path("a"), path("./a")}) {  // however it is written
            std::vector<std::string> arguments{"et", part, path("a"), "-o", itself, "--force"};
            if (part == std::string{"obfuscate"}) arguments.insert(arguments.end(), {"--salt", "x"});
            const Outcome outcome = run_app(arguments);
            EXPECT_EQ(outcome.code, 2) << part;
            EXPECT_NE(outcome.err.find("would be written over itself"), std::string::npos) << outcome.err;
        }
    }
}

}  // namespace
}  // namespace dse::app
