#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "model/compute/systolic/scale_sim_files.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::run_app;
using testing::HasSubstr;

class SystolicCommand : public testing::Test {
  protected:
    std::vector<std::string> command(const std::string& topology, const std::string& input) {
        return {"systolic",
                "-c",
                folder_.write("a.cfg", model::architecture_text()),
                "-t",
                folder_.write("t.csv", topology),
                "-i",
                input};
    }

    dse::test::TemporaryFolder folder_;
};

/// 40 × 24 times 24 × 10 on 16 × 8 with weights: 2 row folds, 2 column folds of 32 + 8 + 40 - 2 = 78 cycles.
TEST_F(SystolicCommand, prints_rows_of_layers) {
    auto arguments = command("Layer, M, N, K,\nfirst, 40, 10, 24,\n", "gemm");
    arguments.emplace_back("--json");
    const auto outcome = run_app(arguments);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto row = outcome.json()["rows"][0];
    EXPECT_EQ(row["layer"], "first");
    EXPECT_EQ(row["cycles"].get<double>(), 4 * 78.0 - 1.0);
    EXPECT_EQ(row["stall_cycles"].get<double>(), 0.0);
    EXPECT_DOUBLE_EQ(row["overall_utilization"].get<double>(), 9600.0 / (311 * 128));
    EXPECT_DOUBLE_EQ(row["mapping_efficiency"].get<double>(), 240.0 / 512);
    EXPECT_EQ(row["sram_reads_ifmap"].get<double>(), 1920.0) << "for each of 2 column folds";
    EXPECT_EQ(row["sram_reads_filter"].get<double>(), 240.0);
    EXPECT_EQ(row["sram_writes_ofmap"].get<double>(), 800.0);
}

TEST_F(SystolicCommand, depthwise_layers_are_written_out) {
    const auto outcome = run_app(command("h\nDP, 8, 8, 3, 3, 4, 1, 1,\n", "conv"));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("DPChannel_3"));
    EXPECT_THAT(outcome.out, HasSubstr("4 layers"));
}

TEST_F(SystolicCommand, writes_scale_sims_reports_into_a_folder_of_the_run) {
    auto arguments = command("Layer, M, N, K,\nfirst, 40, 10, 24,\n", "gemm");
    arguments.insert(arguments.end(), {"-p", folder_.path("out")});
    ASSERT_EQ(run_app(arguments).code, 0);
    for (const char* name : {"COMPUTE_REPORT.csv", "BANDWIDTH_REPORT.csv", "DETAILED_ACCESS_REPORT.csv"}) {
        const auto rows =
            test::csv_rows(dse::test::read_file(folder_.path("out/study/" + std::string{name})));
        ASSERT_EQ(rows.size(), 2U) << name;
        EXPECT_EQ(rows[0].size(), rows[1].size()) << name;
        EXPECT_EQ(rows[0][0], "LayerID");
    }
}

TEST_F(SystolicCommand, writes_nowhere_else) {
    std::string text = model::architecture_text();
    text.replace(text.find("study"), 5, "../study");
    const auto outcome = run_app({"systolic", "-c", folder_.write("a.cfg", text), "-t",
                                  folder_.write("t.csv", "Layer, M, N, K,\nfirst, 40, 10, 24,\n"), "-i",
                                  "gemm", "-p", folder_.path("out")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("run_name: '../study'"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path("study")));
}

TEST_F(SystolicCommand, tells_every_error_of_both_files) {
    folder_.write("bad.cfg", "[general]\nrun_name = x\n");
    folder_.write("bad.csv", "h\na, 1, 2,\n");
    const auto outcome = run_app({"systolic", "-c", folder_.path("bad.cfg"), "-t", folder_.path("bad.csv")});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("layout: no such section"));
    EXPECT_THAT(outcome.err, HasSubstr("bad.csv:2:1"));
}

TEST_F(SystolicCommand, says_which_inputs_there_are) {
    const auto outcome = run_app(command("heading\n", "gem"));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--input: unknown value 'gem' (did you mean 'gemm'?)"));
}

TEST_F(SystolicCommand, an_empty_topology_is_refused) {
    const auto outcome = run_app(command("heading\n", "conv"));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("no layer"));
}

}  // namespace
}  // namespace dse::app
