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

TEST(Kernels, knows_formats_by_the_name_that_tables_use) {
    dse::test::TemporaryFolder folder;
    const auto seconds = [&](const char* heading) {
        const std::string rows = std::string{heading} + "gemm,trtllm,fp8,8192,8192,8192\n";
        return csv_rows(
            run_app({"kernels", folder.write("rows.csv", rows), "--device", "h100_sxm"}).out)[1][2];
    };
    EXPECT_EQ(seconds("operator,library,precision,m,n,k\n"), seconds("operator,library,format,m,n,k\n"));
}

TEST(Kernels, says_which_release_stands_for_one_that_was_not_measured) {
    dse::test::TemporaryFolder folder;
    const std::string rows =
        "operator,library,release,m,n,k\ngemm,vllm,0.23.0,64,64,64\ngemm,vllm,0.22.0,64,64,64\n"
        "gemm,sglang,,64,64,64\n";
    const Outcome outcome = run_app({"kernels", folder.write("rows.csv", rows), "--device", "h200_sxm"});
    const auto cells = csv_rows(outcome.out);
    ASSERT_EQ(cells.size(), 4U) << outcome.err;
    EXPECT_EQ(cells[1][2], cells[2][2]);
    EXPECT_NE(cells[2][2], cells[3][2]);
    EXPECT_THAT(outcome.err,
                HasSubstr("not measured on NVIDIA H200 SXM: vllm 0.23.0, in 1 of 3 rows (the first "
                          "on line 2), which are predicted as of 0.22.0"));
    EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("sglang")));
}

TEST(Kernels, says_which_release_stands_for_one_that_the_file_names) {
    dse::test::TemporaryFolder folder;
    folder.write("mine.trees",
                 "kind gemm_releases 23 0\ncosts -1 1 1 1 1 1 1 1 1 1 1\ntree 0\nrelease 0 sglang 0.5.14\n");
    const std::string mine = folder.write(
        "mine.yaml",
        "name: mine\nsource: by hand\nmultiprocessors: 100\ncache: 50 MB\ncycle: 0.5 ns\nreleases: {sglang: "
        "9.9.9}\ntrees: mine.trees\n");
    const std::string rows = folder.write("rows.csv", "operator,library,m,n,k\ngemm,sglang,64,64,64\n");
    EXPECT_THAT(
        run_app({"kernels", rows, "--device", "h100_sxm", "--learned", mine}).err,
        HasSubstr("not measured on mine: sglang 9.9.9, in 1 of 1 rows (the first on line 2), which are "
                  "predicted as of 0.5.14"));
    EXPECT_THAT(run_app({"check", mine}).out + run_app({"check", mine}).err,
                HasSubstr("warning: releases: sglang 9.9.9 was not measured; kernels without a release are "
                          "predicted as of 0.5.14"));
}

TEST(Kernels, say_that_a_host_launched_them) {
    dse::test::TemporaryFolder folder;
    const std::string rows =
        "operator,library,release,format,m,n,k\ngemm,vllm,0.24.0,fp8,64,64,64\n"
        "gemm,vllm,0.24.0,fp8_block,64,64,64\ngemm,vllm,0.19.0,fp8_block,64,64,64\n";
    const Outcome outcome = run_app({"kernels", folder.write("rows.csv", rows), "--device", "b200_sxm"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err,
                HasSubstr("1 of 3 rows (the first on line 3) are predicted as a host launched them"));
    const auto cells = csv_rows(outcome.out);
    ASSERT_EQ(cells.size(), 4U);
    EXPECT_GT(std::stod(cells[2][2]), 5.0 * std::stod(cells[3][2]));
}

TEST(Kernels, refuses_values_that_it_would_ignore) {
    dse::test::TemporaryFolder folder;
    const auto error = [&](const std::string& rows) {
        return run_app({"kernels", folder.write("rows.csv", rows), "--device", "h100_sxm"}).err;
    };
    const std::string decode =
        "operator,batch,heads,kv_heads,head_dim,queries,keys,cache\ndecode,8,32,8,128,1,99,";
    EXPECT_THAT(error(decode + "fp4\n"), HasSubstr("rows.csv:2:1: error: cache: unknown cache 'fp4'"));
    EXPECT_THAT(error(decode + "fp8,1\n"), HasSubstr("rows.csv:2:1: error: 9 fields under 8 columns"));
    EXPECT_THAT(error("operator,tokens,hidden,inner,choices,experts,tensor_ranks,expert_ranks,gated\n"
                      "experts,8,4096,1536,8,128,1,1,false\n"),
                HasSubstr("gated: unknown gated 'false'"));
}

TEST(Kernels, says_what_it_does_not_read_or_know) {
    dse::test::TemporaryFolder folder;
    const std::string rows = folder.write(
        "rows.csv", "operator,m,n,k,precisoin,precision\ngemm,64,64,64,fp8,fp8\ngemm,64,64,64,,bf16\n");
    const std::string err = run_app({"kernels", rows, "--device", "a100_80_sxm"}).err;
    EXPECT_THAT(
        err,
        HasSubstr("rows.csv:1:1: warning: precisoin: a column that is not read (did you mean 'precision'?)"));
    EXPECT_THAT(err, HasSubstr("has no matrix units for fp8: 1 of 2 rows (the first on line 2)"));
    EXPECT_THAT(run_app({"kernels", rows, "--device", "h100_sxm"}).err,
                ::testing::Not(HasSubstr("matrix units")));
}

/// A device of one's own, as dse fit writes it, has no trees; its constants predict its kernels.
TEST(Kernels, are_predicted_by_forms_where_nothing_was_learned) {
    dse::test::TemporaryFolder folder;
    const std::string rows = folder.write("rows.csv", "operator,m,n,k,seconds\ngemm,4096,4096,4096,250e-6\n");
    const std::string device = folder.write(
        "mine.yaml", "{base: h100_sxm, matmul: {sustained: {bf16: 700 TFLOPS, fp16: 700 TFLOPS}}}");
    const Outcome mine = run_app({"kernels", rows, "--device", device, "--errors"});
    EXPECT_EQ(mine.code, 0) << mine.err;
    EXPECT_THAT(mine.err, HasSubstr("nothing was learned of the kernels of"));
    EXPECT_THAT(mine.out, HasSubstr("gemm"));
    EXPECT_EQ(run_app({"kernels", rows, "--device", "h800_sxm"}).err, "") << "its file names H100's";
}

/// V100 has no matrix units for integers: its int8 products take the rate of fp16, as in dse gemm.
TEST(Kernels, say_why_they_are_not_predicted) {
    dse::test::TemporaryFolder folder;
    const std::string rows =
        folder.write("rows.csv",
                     "operator,format,m,n,k,batch,heads,queries,keys\ngemm,int8,512,512,512,,,,\ngemm,nvfp4,"
                     "512,512,512,,,,\n"
                     "latent_decode,bf16,,,,8,16,1,4096\nlatent_prefill,bf16,,,,1,16,64,64\n");
    const Outcome outcome = run_app({"kernels", rows, "--device", "v100_32_sxm"});
    const auto cells = csv_rows(outcome.out);
    ASSERT_EQ(cells.size(), 5U) << outcome.err;
    EXPECT_NE(cells[1][2], "");
    EXPECT_THAT(outcome.err, HasSubstr("no matrix units for int8: 1 of 4 rows (the first on line 2) are "
                                       "predicted at the rate of 16 bits"));
    EXPECT_EQ(cells[2][2], "");
    EXPECT_THAT(outcome.err, ::testing::Not(HasSubstr("with operands of fp4")));
    EXPECT_THAT(outcome.err,
                HasSubstr("not predicted: 1 of 4 rows (the first on line 3), because the device has "
                          "no matrix units for nvfp4"));
    EXPECT_THAT(outcome.err, HasSubstr("(the first on line 4), because operator latent_decode has no form"));
    EXPECT_THAT(outcome.err, HasSubstr("(the first on line 5), because operator latent_prefill has no form"));
    const std::string sums = folder.write("sums.csv", "operator,shape\nelementwise,8x128\n");
    EXPECT_THAT(run_app({"kernels", sums, "--device", "h100_sxm"}).err,
                HasSubstr("because nothing was learned of its element-wise kernels"));
}

TEST(Kernels, say_that_their_format_was_not_measured) {
    dse::test::TemporaryFolder folder;
    const std::string rows = folder.write(
        "rows.csv", "operator,library,format,m,n,k\ngemm,vllm,bf16,64,64,64\ngemm,vllm,int8,64,64,64\n");
    EXPECT_THAT(run_app({"kernels", rows, "--device", "h100_sxm"}).err,
                HasSubstr("1 of 2 rows (the first on line 3) are of a library and format"));
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
