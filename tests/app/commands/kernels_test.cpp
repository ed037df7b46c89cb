#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::csv_rows;
using test::Outcome;
using test::run_app;
using ::testing::HasSubstr;

/// Measured by others: ai-dynamo/aiconfigurator 095f58a51c4c on H100, TensorRT-LLM.
const char* const h100_rows =
    "operator,library,format,m,n,k,seconds\n"
    "gemm,trtllm,bf16,8192,8192,8192,0.0014\n";

TEST(Kernels, predicts_each_row) {
    dse::test::TemporaryFolder folder;
    const Outcome outcome = run_app({"kernels", folder.write("rows.csv", h100_rows), "--device", "h100_sxm"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto cells = csv_rows(outcome.out);
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[1][1], "gemm");
    // 1.1e12 FLOP at 700 to 900 TFLOP/s.
    EXPECT_NEAR(std::stod(cells[1][2]), 1.4e-3, 0.2e-3);
    EXPECT_EQ(cells[1][3], "");  // no watts were measured on this device
}

TEST(Kernels, sums_errors_up) {
    dse::test::TemporaryFolder folder;
    const Outcome outcome =
        run_app({"kernels", folder.write("rows.csv", h100_rows), "--device", "h100_sxm", "--errors"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("median"));
    EXPECT_THAT(outcome.out, HasSubstr("gemm"));
}

TEST(Kernels, refuses_by_line_and_by_name) {
    dse::test::TemporaryFolder folder;
    const std::string bad = folder.write("bad.csv", "operator,m,n,k\ngemm,1,x,1\n");
    const Outcome outcome = run_app({"kernels", bad, "--device", "h100_sxm"});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("bad.csv:2:1: error: n: 'x' is not a number"));
    EXPECT_THAT(run_app({"kernels", bad, "--device", "v100_32_sxm"}).err, HasSubstr("v100_32_sxm"));
}

}  // namespace
}  // namespace dse::app
