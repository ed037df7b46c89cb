// Also tests: advice_report.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using testing::HasSubstr;

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

TEST(Advise, RefusesWhatItCannotAdvise) {
    const TemporaryFolder folder;
    const std::string file = folder.write("run.yaml", my_run);
    EXPECT_THAT(run_app({"advise", file, "--measured", "12"}).err, HasSubstr("has no unit"));
    EXPECT_THAT(run_app({"advise", file, "--measured", "0 s"}).err, HasSubstr("longer than nothing"));
    const std::string fixed = folder.write("fixed.yaml", std::string{my_run} + "axes: {tp: [4]}\n");
    const auto outcome = run_app({"advise", fixed, "--measured", "3 s"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("one value each"));
}

}  // namespace
}  // namespace dse::app
