// Also tests: regret_report.cpp, row_point.cpp
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app::test {
namespace {

using ::testing::HasSubstr;

class RegretTest : public ::testing::Test {
  protected:
    std::string run(const std::string& rest, const std::string& name = "rows") {
        const std::string file = folder_.path(name + ".h5");
        const Outcome outcome = run_app({"run", folder_.write("sweep.yaml", tiny_sweep(rest)), "-o", file});
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return file;
    }
    dse::test::TemporaryFolder folder_;
};

TEST_F(RegretTest, IsWhatADesignLosesAgainstTheBestUnderTheSameDraw) {
    // Wide tensor parallelism is the faster, the faster the links are: either design may be the best.
    const std::string file =
        run("axes: {tp: [2, 8]}\n"
            "uncertain: {draws: 16, cluster.network.scale_up.bandwidth: {factor: {uniform: [0.02, 4.0]}}}\n"
            "objectives: {iteration_time_mean: minimize}\n");
    const auto json = run_app({"regret", file, "--json"}).json();
    ASSERT_EQ(json["regrets"].size(), 1U);
    const auto& regrets = json["regrets"][0];
    EXPECT_EQ(regrets["metric"], "iteration_time");
    EXPECT_EQ(regrets["draws"], 16);
    ASSERT_EQ(regrets["rows"].size(), 2U);
    const auto& best = regrets["rows"][0]["metrics"];
    const auto& other = regrets["rows"][1]["metrics"];
    EXPECT_LE(best["regret_worst"].get<double>(), other["regret_worst"].get<double>());
    for (const auto& row : {best, other}) {
        EXPECT_GE(row["regret_mean"].get<double>(), 0.0);
        EXPECT_LE(row["regret_mean"].get<double>(), row["regret_worst"].get<double>());
        EXPECT_LE(row["regret_p90"].get<double>(), row["regret_worst"].get<double>());
    }
    // One of the two is the best under each draw: alone a design regrets nothing.
    const auto alone = run_app({"regret", file, "--json", "--where", "tp == 8"}).json();
    EXPECT_EQ(alone["regrets"][0]["rows"][0]["metrics"]["regret_worst"], 0.0);
    const Outcome text = run_app({"regret", file, "--top", "1"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_THAT(text.out,
                HasSubstr("Regret of iteration_time against the best of 2 designs, under 16 draws:"));
}

TEST_F(RegretTest, NeedsDrawsAndFeasibleRows) {
    const Outcome certain = run_app({"regret", run("axes: {tp: [2, 8]}\n", "certain")});
    EXPECT_EQ(certain.code, 2);
    EXPECT_THAT(certain.err, HasSubstr("a regret needs draws"));
    const std::string file =
        run("axes: {tp: [2, 8]}\n"
            "uncertain: {draws: 2, cluster.device.memory.bandwidth: {factor: {normal: [1.0, 0.1]}}}\n"
            "objectives: {iteration_time_mean: minimize}\n");
    EXPECT_EQ(run_app({"regret", file, "--where", "tp > 8"}).code, 1);
}

}  // namespace
}  // namespace dse::app::test
