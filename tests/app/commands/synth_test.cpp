// Also tests: simulated_job.cpp, synth/check.cpp, synth/graph_line.cpp, synth/graphs.cpp
// Also tests: synth/fit.cpp, synth/job_timer.cpp, synth/judge.cpp, synth/load_graphs.cpp, synth/sample.cpp
// Also tests: et/obfuscate.cpp, synth/named_family.cpp
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/dist/stop_signal.hpp"
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

TEST_F(SynthCommand, FamiliesHaveTheNamesThatSweepsUse) {
    const Outcome sampled =
        run_app({"synth", "sample", "llm.model", "--number", "1", "-o", path("named"), "--json"});
    ASSERT_EQ(sampled.code, 0) << sampled.err;
    EXPECT_EQ(sampled.json()["samples"], 1);
    const Outcome unknown = run_app({"synth", "check", "lmm.model"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_NE(unknown.err.find("lmm.model"), std::string::npos);
}

/// `tp2.*` of a shell names all ranks, the groups and the conditions of one job.
TEST_F(SynthCommand, FitsTakeWhatAShellNamesOfAJob) {
    std::ofstream{path("tp2.conditions.json")} << R"({"global_batch": 8})";
    const auto graphs = [&](std::vector<std::string> files) {
        files.insert(files.begin(), {"synth", "fit", "-o", path("b.model"), "--force", "--json"});
        const Outcome fitted = run_app(files);
        EXPECT_EQ(fitted.code, 0) << fitted.err;
        return fitted.json()["graphs"];
    };
    ASSERT_TRUE(std::filesystem::exists(path("tp2.json")));
    EXPECT_EQ(graphs({path("tp1"), path("tp2"), path("tp2.conditions.json"), path("tp2.json")}), 2);
    std::vector<std::string> all{path("tp1")};
    for (const auto& file : std::filesystem::directory_iterator{folder_->path("")})
        if (file.path().filename().string().starts_with("tp2.")) all.push_back(file.path().string());
    ASSERT_GT(all.size(), 4U);
    EXPECT_EQ(graphs(all), 2);
    EXPECT_EQ(graphs({path("tp1"), path("tp2.0.et")}), 2) << "one rank is what it says";
    std::filesystem::remove(path("tp2.conditions.json"));
    const Outcome lone = run_app({"synth", "fit", "-o", path("c.model"), path("nothing.json")});
    EXPECT_EQ(lone.code, 2);
    EXPECT_NE(lone.err.find("nothing.json"), std::string::npos) << lone.err;
}

TEST_F(SynthCommand, StoppedSamplesSayHowToBeginAgain) {
    dist::request_stop();
    const Outcome stopped =
        run_app({"synth", "sample", path("a.model"), "--number", "3", "-o", path("stopped")});
    dist::clear_stop_request();
    EXPECT_EQ(stopped.code, 4);
    EXPECT_NE(stopped.err.find("stopped after 0 of 3 samples (the same command with --force begins again)"),
              std::string::npos)
        << stopped.err;
}

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

TEST_F(SynthCommand, EverySampleIsPlayedToTheEnd) {
    const Outcome checked = run_app({"synth", "check", path("a.model"), "--number", "5", "--json"});
    ASSERT_EQ(checked.code, 0) << checked.out;
    for (const char* stage : {"samples", "valid", "parsed", "sound", "played"})
        EXPECT_EQ(checked.json()[stage], 5) << stage;
    EXPECT_GE(checked.json()["ranks"], 5);
    const Outcome elsewhere =
        run_app({"synth", "check", path("a.model"), "--number", "2", "--system", "no_such_cluster"});
    EXPECT_NE(elsewhere.code, 0);
}

TEST_F(SynthCommand, GraphsAreWrittenAsFamiliesReadThem) {
    const Outcome written =
        run_app({"synth", "graphs", path("tp2"), path("tp4"), "-o", path("graphs.jsonl")});
    ASSERT_EQ(written.code, 0) << written.err;
    std::ifstream file{path("graphs.jsonl")};
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    const auto graph = nlohmann::json::parse(line);
    EXPECT_EQ(graph["devices"], 8);
    EXPECT_EQ(graph["nodes"].size(), graph["repeats"].size());
    EXPECT_TRUE(graph["nodes"][0].is_string());
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
    const Outcome judged =
        run_app({"synth", "judge", path("a.model"), path("tp2"), path("tp4"), "-n", "50", "--json"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    const nlohmann::json statistics = judged.json()["statistics"];
    EXPECT_EQ(statistics.size(), 7U);
    EXPECT_GE(statistics["operator_tv"].get<double>(), 0.0);
    EXPECT_LT(statistics["operator_tv"].get<double>(), 0.5);
    EXPECT_GT(judged.json()["iteration_time"]["real"]["p50"].get<double>(), 0.0);
    EXPECT_GT(judged.json()["iteration_time"]["samples"]["p50"].get<double>(), 0.0);
    EXPECT_FALSE(judged.json()["leakage"].contains("membership_auc"));
    const Outcome text = run_app(
        {"synth", "judge", path("a.model"), path("tp2"), "-n", "50", "--training", path("tp1"), path("tp8")});
    ASSERT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("whether a graph was learned from"), std::string::npos);
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

std::string varint(std::uint64_t number) {
    std::string bytes;
    for (; number >= 128; number >>= 7U) bytes += static_cast<char>(number | 128U);
    return bytes + static_cast<char>(number);
}

std::string field(std::uint64_t number, const std::string& bytes) {
    return varint(number << 3U | 2U) + varint(bytes.size()) + bytes;
}

std::string field(std::uint64_t number, std::uint64_t value) {
    return varint(number << 3U) + varint(value);
}

/// A kernel as Chakra's files have it, behind all others: `secret_gemm`.
std::string secret_record() {
    const auto attribute = [](const std::string& name, const std::string& value) {
        return field(10, field(1, name) + value);
    };
    const std::string node =
        field(1, 1'000'000) + field(2, "project_x") + field(3, 4) +
        attribute("op_type", field(29, "secret_gemm")) + attribute("num_ops", field(9, 123'456'789)) +
        attribute("tensor_size", field(13, 777'777)) + attribute("is_cpu_op", field(27, 0));
    return varint(node.size()) + node;
}

TEST_F(SynthCommand, APlantedSecretIsFoundAndGoneOnceObfuscated) {
    for (int rank = 0; rank < 8; ++rank) {
        const std::string planted = path(fmt::format("planted.{}.et", rank));
        std::filesystem::copy_file(path(fmt::format("tp2.{}.et", rank)), planted);
        std::ofstream{planted, std::ios::binary | std::ios::app} << secret_record();
    }
    std::filesystem::copy_file(path("tp2.json"), path("planted.json"));
    const std::string planted = path("planted");
    const auto rows_about_secret = [&](const std::string& family) {
        const Outcome judged = run_app({"synth", "judge", family, path("tp1"), path("tp2"), path("tp4"),
                                        path("tp8"), planted, "--untimed", "--json", "-n", "50"});
        EXPECT_EQ(judged.code, 0) << judged.err;
        std::size_t count = 0;
        const auto verdict = judged.json();
        for (const auto& row : verdict["leakage"]["rows"])
            count += row["example"] == "compute secret_gemm" ? 1 : 0;
        return count;
    };
    const Outcome told = run_app({"synth", "fit", path("tp1"), path("tp2"), path("tp4"), path("tp8"), planted,
                                  "-o", path("told.model")});
    ASSERT_EQ(told.code, 0) << told.err;
    EXPECT_EQ(rows_about_secret(path("told.model")), 1U);

    std::vector<std::string> fit{"synth", "fit", "-o", path("hidden.model")};
    for (const std::string job : {"tp1", "tp2", "tp4", "tp8", "planted"}) {
        const Outcome hidden =
            run_app({"et", "obfuscate", path(job), "-o", path("hidden_" + job), "--salt", "s", "--json"});
        ASSERT_EQ(hidden.code, 0) << hidden.err;
        // Powers of two are at most √2 off, either way.
        EXPECT_LT(std::abs(hidden.json()["time"]["change"].get<double>()), 0.42);
        EXPECT_EQ(run_app({"et", "check", path("hidden_" + job)}).code, 0);
        fit.push_back(path("hidden_" + job));
    }
    const Outcome fitted = run_app(fit);
    ASSERT_EQ(fitted.code, 0) << fitted.err;
    EXPECT_EQ(rows_about_secret(path("hidden.model")), 0U);
}

TEST_F(SynthCommand, WhatIsNoFamilyIsRefused) {
    EXPECT_EQ(run_app({"synth", "sample", path("tp1.json"), "-o", path("x")}).code, 2);
    EXPECT_EQ(run_app({"synth", "fit", path("nothing"), "-o", path("b.model")}).code, 2);
    EXPECT_EQ(run_app({"synth", "fit", path("tp1"), "-o", path("a.model")}).code, 2);  // is there
    EXPECT_EQ(run_app({"synth", "fit", path("tp1"), "-o", path("b.model"), "--model", "gan"}).code, 2);
}

}  // namespace
}  // namespace dse::app
