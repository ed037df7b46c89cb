// Also tests: advice_report.cpp, run_layouts.cpp
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using testing::HasSubstr;
using testing::Not;

constexpr const char* my_run =
    "name: my_run\n"
    "workload: {model: llama3_8b, global_batch: 32, sequence: 2048, tp: 4, pp: 2, recompute: full}\n"
    "system: {cluster: h100_ndr400, devices: 16}\n";

TEST(Advise, ARunWithoutAxesIsHeldAgainstUsualLayouts) {
    const TemporaryFolder folder;
    const auto outcome = run_app({"advise", folder.write("run.yaml", my_run), "--measured", "3 s", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_EQ(json["measured"], 3.0);
    EXPECT_EQ(json["layout"]["tp"], 4);
    EXPECT_EQ(json["layout"]["recompute"], "full");
    EXPECT_GT(json["points"].get<int>(), 100);
    ASSERT_FALSE(json["rows"].empty());
    double time = 3.0;
    for (const auto& row : json["rows"]) {
        EXPECT_NEAR(row["saves"].get<double>(), time - row["iteration_time"].get<double>(), 1e-9);
        EXPECT_GT(row["saves"].get<double>(), 0.0);
        EXPECT_GT(row["probability"].get<double>(), 0.5);
        EXPECT_FALSE(row["changes"].empty());
        time = row["iteration_time"];
    }
}

TEST(Advise, SaysWhatToChangeInTheRunsOwnSpace) {
    const TemporaryFolder folder;
    const std::string file = folder.write("run.yaml", std::string{my_run} + "axes: {tp: [1, 2, 4]}\n");
    const auto outcome = run_app({"advise", file, "--set", "tp=4", "--measured", "3 s"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("measured 3 s, predicted"));
    EXPECT_THAT(outcome.out, HasSubstr("your layout: tp=4"));
    EXPECT_THAT(outcome.out, HasSubstr("tp 4 -> "));
    EXPECT_THAT(outcome.out, HasSubstr("fitted: matmul.in_training"));
}

/// The run is predicted to take 1.9 s: in 3.1 s, something waits that no layout changes.
TEST(Advise, DoubtsRunsThatAreFarFromTheirErrorBars) {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "run.yaml",
        "name: my_run\n"
        "workload: {model: llama3_8b, global_batch: 128, sequence: 8192, stack: torchtitan_2025, zero: 3, "
        "recompute: selective}\n"
        "system: {cluster: h100_ndr400, devices: 64}\n"
        "axes: {microbatch: [1, 2]}\n");
    const auto advise = [&](const char* measured) {
        return run_app({"advise", file, "--set", "microbatch=1", "--measured", measured}).out;
    };
    const auto predicted = run_app({"advise", file, "--set", "microbatch=1", "--measured", "3.1 s", "--json"})
                               .json()["predicted"];
    const auto at = [](double seconds) { return fmt::format("{} s", seconds); };
    const double high = predicted["high"];
    EXPECT_THAT(advise(at(high).c_str()), Not(HasSubstr("99 of 100 runs")));
    EXPECT_THAT(advise("3.1 s"), HasSubstr("99 of 100 runs are not so much slower than predicted"));
    const double middle = predicted["iteration_time"];
    EXPECT_THAT(advise(at(middle * std::pow(middle / high, 3.0)).c_str()),
                HasSubstr("99 of 100 runs are not so much faster than predicted"));
}

// Adapters of another rank are another training, however fast.
TEST(Advise, ChangesNothingThatIsTrained) {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "run.yaml",
        std::string{my_run} + "axes: {tp: [4, 2], workload.adapter.rank: [64, 8], sequence: [2048, 512]}\n");
    const auto outcome = run_app({"advise", file, "--measured", "3 s", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err,
                HasSubstr("note: workload.adapter.rank stays 64: another one would be another training"));
    EXPECT_THAT(outcome.err, HasSubstr("note: sequence stays 2048"));
    EXPECT_EQ(outcome.json()["points"], 2);
}

// What the file states beside its axes is the run's, and not the first value of each axis.
TEST(Advise, TakesTheLayoutFromTheWorkload) {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("run.yaml", std::string{my_run} + "axes: {tp: [1, 2, 4], pp: [1, 2]}\n");
    const auto outcome = run_app({"advise", file, "--measured", "3 s", "--json"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["layout"]["tp"], 4);
    EXPECT_EQ(outcome.json()["layout"]["pp"], 2);
    EXPECT_EQ(outcome.json()["points"], 6);
    EXPECT_EQ(
        run_app({"advise", file, "--set", "tp=2", "--measured", "3 s", "--json"}).json()["layout"]["tp"], 2);
    const std::string other = folder.write("other.yaml", std::string{my_run} + "axes: {tp: [1, 2]}\n");
    EXPECT_THAT(run_app({"advise", other, "--measured", "3 s"}).err,
                HasSubstr("the run has tp = 4, which is not among the values of that axis"));
}

TEST(Advise, AStatedDegreeOfDataParallelismIsNoConditionOnOtherLayouts) {
    const TemporaryFolder folder;
    std::string text = my_run;
    const std::string without = folder.write("run.yaml", text);
    const std::string with = folder.write("dp.yaml", text.replace(text.find("tp: 4"), 5, "tp: 4, dp: 2"));
    const auto feasible = [](const std::string& file) {
        const auto outcome = run_app({"advise", file, "--measured", "3 s", "--json"});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.json()["feasible"].get<int>();
    };
    EXPECT_EQ(feasible(with), feasible(without));
}

TEST(Advise, ExpertsMayLieOtherwise) {
    const TemporaryFolder folder;
    const std::string file = folder.write("run.yaml",
                                          "name: my_run\nworkload: {model: mixtral_8x7b, global_batch: 16, "
                                          "sequence: 512, tp: 2, pp: 4, ep: 8}\n"
                                          "system: {cluster: h100_ndr400, devices: 32}\n");
    const auto outcome = run_app({"advise", file, "--measured", "3 s"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(file + ": the step of the run cannot be predicted: the 8 devices of a "
                                              "pipeline stage are not divisible by etp 2 x ep 8"));
    const auto sound = run_app({"advise", file, "--set", "etp=1", "--measured", "3 s", "--json"});
    ASSERT_EQ(sound.code, 0) << sound.err;
    EXPECT_EQ(sound.json()["layout"]["ep"], 8);
    EXPECT_EQ(sound.json()["layout"]["etp"], 1);
}

TEST(Advise, RefusesWhatItCannotAdvise) {
    const TemporaryFolder folder;
    const std::string file = folder.write("run.yaml", my_run);
    EXPECT_THAT(run_app({"advise", file, "--measured", "12"}).err, HasSubstr("has no unit"));
    EXPECT_THAT(run_app({"advise", file, "--measured", "0 s"}).err, HasSubstr("must be above 0"));
    const auto impossible = run_app({"advise", file, "--measured", "1 ms"});
    EXPECT_EQ(impossible.code, 2);
    EXPECT_THAT(impossible.err, HasSubstr("--measured: in 1 ms, the operations of the step would run at"));
    EXPECT_THAT(run_app({"advise", file, "--measured", "3000 s"}).out,
                HasSubstr("no error of a prediction is so large: check the measured time"));
    const std::string fixed = folder.write("fixed.yaml", std::string{my_run} + "axes: {tp: [4]}\n");
    const auto outcome = run_app({"advise", fixed, "--measured", "3 s"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("has only one value"));
}

}  // namespace
}  // namespace dse::app
