// Also tests: synth/fit.cpp, synth/job_timer.cpp, synth/judge.cpp, synth/load_graphs.cpp, synth/sample.cpp
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::Outcome;
using test::run_app;

/// A family of four layouts of a small job.
class SynthCommand : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<dse::test::TemporaryFolder>();
        const std::string sweep = folder_->write(
            "tiny.yaml", test::tiny_sweep("axes: {tp: [1, 2, 4, 8], pp: [1], microbatch: [1], zero: [1]}\n"));
        std::vector<std::string> fit{"synth", "fit", "-o", path("a.model"), "--json"};
        for (const char* tp : {"1", "2", "4", "8"}) {
            const std::string job = path(std::string{"tp"} + tp);
            const Outcome traced = run_app({"trace", sweep, "--set", std::string{"tp="} + tp, "-o", job});
            ASSERT_EQ(traced.code, 0) << traced.err;
            fit.push_back(job);
        }
        const Outcome fitted = run_app(fit);
        ASSERT_EQ(fitted.code, 0) << fitted.err;
        ASSERT_EQ(fitted.json()["graphs"], 4);
        EXPECT_LE(fitted.json()["nodes"].get<double>(), 400.0);
    }
    static void TearDownTestSuite() { folder_.reset(); }
    static std::string path(const std::string& name) { return folder_->path(name); }

    static std::unique_ptr<dse::test::TemporaryFolder> folder_;
};
std::unique_ptr<dse::test::TemporaryFolder> SynthCommand::folder_;

TEST_F(SynthCommand, SamplesPassTheCheckAndAreSimulated) {
    const Outcome sampled = run_app(
        {"synth", "sample", path("a.model"), "--number", "4", "--seed", "3", "-o", path("s"), "--json"});
    ASSERT_EQ(sampled.code, 0) << sampled.err;
    EXPECT_EQ(sampled.json()["samples"], 4);
    for (int i = 0; i < 4; ++i) {
        const std::string prefix = path(fmt::format("s/{:06}", i));
        const Outcome checked = run_app({"et", "check", prefix});
        EXPECT_EQ(checked.code, 0) << checked.out;
        const Outcome simulated = run_app({"simulate", prefix, "--system", "h100_ndr400", "--json"});
        ASSERT_EQ(simulated.code, 0) << simulated.err;
        EXPECT_GT(simulated.json()["time"].get<double>(), 0.0);
    }
}

TEST_F(SynthCommand, EqualSeedsGiveEqualSamplesAndOthersOthers) {
    const auto list = [&](const std::string& folder, const std::string& seed) {
        const Outcome sampled = run_app({"synth", "sample", path("a.model"), "--number", "8", "--seed", seed,
                                         "-o", path(folder), "--graphs-only"});
        EXPECT_EQ(sampled.code, 0) << sampled.err;
        std::ifstream file{path(folder + "/samples.jsonl")};
        return std::string{std::istreambuf_iterator<char>{file}, {}};
    };
    const std::string first = list("s1", "1");
    EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 8);
    EXPECT_EQ(first, list("s2", "1"));
    EXPECT_NE(first, list("s3", "2"));
    EXPECT_FALSE(std::filesystem::exists(path("s1/000000.0.et")));
}

TEST_F(SynthCommand, AFamilyOnOtherDevices) {
    const Outcome sampled = run_app({"synth", "sample", path("a.model"), "-o", path("large"), "--devices",
                                     "256", "--ranks", "classes", "--gzip"});
    ASSERT_EQ(sampled.code, 0) << sampled.err;
    std::ifstream file{path("large/samples.jsonl")};
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(nlohmann::json::parse(line)["devices"], 256);
}

TEST_F(SynthCommand, JudgeTellsTheSevenStatistics) {
    const Outcome judged = run_app({"synth", "judge", path("a.model"), path("tp2"), path("tp4"), "--json"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    const auto statistics = judged.json()["statistics"];
    EXPECT_EQ(statistics.size(), 7U);
    EXPECT_GE(statistics["operator_tv"].get<double>(), 0.0);
    EXPECT_LT(statistics["operator_tv"].get<double>(), 0.5);
    EXPECT_GT(judged.json()["iteration_time"]["real"]["p50"].get<double>(), 0.0);
    EXPECT_GT(judged.json()["iteration_time"]["samples"]["p50"].get<double>(), 0.0);
    EXPECT_FALSE(judged.json()["leakage"].contains("membership_auc"));
    const Outcome text =
        run_app({"synth", "judge", path("a.model"), path("tp2"), "--training", path("tp1"), path("tp8")});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("who was learned from"), std::string::npos);
}

TEST_F(SynthCommand, SurrogatesAreScoredWhereThereAreEnoughGraphs) {
    const Outcome judged = run_app({"synth", "judge", path("a.model"), path("tp1"), path("tp2"), path("tp4"),
                                    path("tp8"), "--number", "20", "--json"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    EXPECT_TRUE(judged.json().contains("surrogate"));
    EXPECT_LE(judged.json()["surrogate"]["samples_on_real"].get<double>(), 1.0);
}

TEST_F(SynthCommand, OperatorListsAreGraphsToo) {
    const std::string file = folder_->write("ops.jsonl",
                                            "{\"nodes\": [1, 2, 3], \"edges\": [[0, 1], [1, 2]]}\n"
                                            "{\"nodes\": [1, 2, 2], \"edges\": [[0, 1], [0, 2]]}\n");
    const Outcome fitted = run_app({"synth", "fit", file, "-o", path("ops.model")});
    ASSERT_EQ(fitted.code, 0) << fitted.err;
    const Outcome sampled = run_app({"synth", "sample", path("ops.model"), "-n", "3", "-o", path("ops")});
    ASSERT_EQ(sampled.code, 0) << sampled.err;
    // What is sampled can be learned from again: operators are the same numbers.
    const Outcome again = run_app({"synth", "judge", path("ops.model"), path("ops/samples.jsonl"), "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.json()["graphs"], 3);
}

TEST_F(SynthCommand, WhatIsNoFamilyIsRefused) {
    EXPECT_EQ(run_app({"synth", "sample", path("tp1.json"), "-o", path("x")}).code, 2);
    EXPECT_EQ(run_app({"synth", "fit", path("nothing"), "-o", path("b.model")}).code, 2);
    EXPECT_EQ(run_app({"synth", "fit", path("tp1"), "-o", path("a.model")}).code, 2);  // is there
    EXPECT_EQ(run_app({"synth", "fit", path("tp1"), "-o", path("b.model"), "--model", "gan"}).code, 2);
}

}  // namespace
}  // namespace dse::app
