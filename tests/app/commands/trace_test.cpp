#include <filesystem>

#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/dist/stop_signal.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::Outcome;
using test::run_app;

class TraceCommand : public testing::Test {
  protected:
    /// 8 devices: tp 2, pp 2, dp 2.
    Outcome run(std::vector<std::string> more) {
        const std::string sweep = folder_.write(
            "tiny.yaml", test::tiny_sweep("axes: {tp: [2], pp: [2], microbatch: [1, 2], zero: [1]}\n"));
        std::vector<std::string> arguments{"trace", sweep, "-o", folder_.path("out/t")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_app(arguments);
    }
    [[nodiscard]] std::size_t files() const {
        const auto count = std::distance(std::filesystem::directory_iterator{folder_.path("out")}, {});
        return static_cast<std::size_t>(count);
    }

    TemporaryFolder folder_;
};

TEST_F(TraceCommand, WritesEveryRankAndTheCommunicators) {
    const Outcome outcome = run({"--json", "--set", "microbatch=2"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["ranks"], 8);
    EXPECT_EQ(json["files"], 8);
    EXPECT_GT(json["nodes"], 8 * 100);
    EXPECT_EQ(files(), 9U);
    // Kernels have times: the point's models know them.
    trace::chakra::TraceReader reader{folder_.path("out/t.7.et")};
    trace::chakra::TraceNode node;
    std::uint64_t micros = 0;
    while (reader.next(node)) micros += node.duration_micros;
    EXPECT_GT(micros, 1000U);
}

TEST_F(TraceCommand, WritesARankOfEachClass) {
    const Outcome outcome = run({"--ranks", "classes"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(files(), 3U);
    EXPECT_TRUE(std::filesystem::exists(folder_.path("out/t.0.et")));
    EXPECT_TRUE(std::filesystem::exists(folder_.path("out/t.4.et")));
    EXPECT_NE(outcome.out.find("2 of 8 ranks"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find("microbatch=1"), std::string::npos) << "says which value it took";
}

TEST_F(TraceCommand, WritesTheRanksThatAreNamed) {
    ASSERT_EQ(run({"--ranks", "1,6-7", "--gzip"}).code, 0);
    EXPECT_EQ(files(), 4U);
    EXPECT_EQ(dse::test::read_file(folder_.path("out/t.6.et")).substr(0, 2), "\x1f\x8b");
}

TEST_F(TraceCommand, NamesFilesInAFolderLikeTheSweep) {
    const std::string sweep = folder_.write("tiny.yaml", test::tiny_sweep("axes: {tp: [8]}\n"));
    const Outcome outcome = run_app({"trace", sweep, "-o", folder_.path("new/"), "--ranks", "0"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(folder_.path("new/tiny.<rank>.et")), std::string::npos) << outcome.out;
    EXPECT_TRUE(std::filesystem::exists(folder_.path("new/tiny.0.et")));
    const Outcome again = run_app({"trace", sweep, "-o", folder_.path("new"), "--ranks", "1"});
    EXPECT_EQ(again.code, 2);
    EXPECT_NE(again.err.find("tiny.json' already exists (--force"), std::string::npos) << again.err;
    ASSERT_EQ(run_app({"trace", sweep, "-o", folder_.path("new"), "--ranks", "1", "--force"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder_.path("new/tiny.1.et")));
    const Outcome nameless = run_app({"trace", sweep, "-o", ""});
    EXPECT_EQ(nameless.code, 2);
    EXPECT_NE(nameless.err.find("--output has no value"), std::string::npos) << nameless.err;
}

/// The first point of the shipped sweep, on one device a replica, needs more memory than an H100 has.
TEST_F(TraceCommand, AxesThatAreNotSetMakeAPointThatFits) {
    const std::vector<std::string> first{"trace", test::smoke_sweep(), "-o", folder_.path("out/t"), "--ranks",
                                         "0"};
    const Outcome open = run_app(first);
    ASSERT_EQ(open.code, 0) << open.err;
    EXPECT_EQ(open.err.find("would not run"), std::string::npos) << open.err;
    std::vector<std::string> chosen = first;
    for (const char* setting : {"tp=1", "pp=1", "microbatch=1", "zero=0", "recompute=none", "schedule=1f1b"})
        chosen.insert(chosen.end(), {"--set", setting});
    chosen.emplace_back("--force");
    EXPECT_NE(run_app(chosen).err.find("would not run"), std::string::npos) << "what the user sets is taken";
}

TEST_F(TraceCommand, WritesNothingOutsideTheFolder) {
    for (const std::string name : {"../../escape", "/tmp/escape", ".."}) {
        std::string text = test::tiny_sweep("axes: {tp: [8]}\n");
        text.replace(0, text.find('\n'), "name: " + name);
        const std::string sweep = folder_.write("tiny.yaml", text);
        const Outcome outcome = run_app({"trace", sweep, "-o", folder_.path("new/"), "--ranks", "0"});
        EXPECT_EQ(outcome.code, 2);
        EXPECT_NE(outcome.err.find("tiny.yaml:1:7: error: name: '" + name + "' cannot name files"),
                  std::string::npos)
            << outcome.err;
    }
}

TEST_F(TraceCommand, ASignalLeavesWholeFilesOnly) {
    dist::request_stop();
    const Outcome outcome = run({});
    dist::clear_stop_request();
    EXPECT_EQ(outcome.code, 4);
    EXPECT_NE(outcome.err.find("stopped after 0 of 8 traces"), std::string::npos) << outcome.err;
    EXPECT_EQ(files(), 0U) << "the communicators come last";
}

TEST_F(TraceCommand, RefusesWhatItCannotDo) {
    const Outcome rank = run({"--ranks", "8"});
    EXPECT_EQ(rank.code, 2);
    EXPECT_NE(rank.err.find("there is no rank 8"), std::string::npos) << rank.err;
    const Outcome none = run_app({"trace", test::smoke_sweep()});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("--output"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace dse::app
