#include "app/kernel_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using ::testing::HasSubstr;

class KernelFile : public ::testing::Test {
  protected:
    std::vector<KernelRow> read(const std::string& text) {
        return read_kernels(folder_.write("rows.csv", text), diagnostics_);
    }

    dse::test::TemporaryFolder folder_;
    config::Diagnostics diagnostics_;
};

TEST_F(KernelFile, rows_of_each_kind) {
    const auto rows = read(
        "operator,library,format,m,n,k,batch,heads,kv_heads,head_dim,queries,keys,cache,shape,operands,"
        "function,"
        "seconds,watts\n"
        "gemm,vllm,fp8,1000,4096,2048,,,,,,,,,,,1e-5,500\n"
        "decode,,,,,,8,16,4,128,1,4096,fp8,,,,,\n"
        "elementwise,,,,,,,,,,,,,16x32x8,2,sigmoid,,\n");
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(rows.size(), 3U);
    const auto& product = std::get<model::Kernel>(rows[0].kernel);
    EXPECT_EQ(product.library, model::KernelLibrary::vllm);
    EXPECT_EQ(product.format, model::OperandFormat::fp8);
    EXPECT_EQ(product.n, 4096.0);
    EXPECT_EQ(rows[0].seconds, 1e-5);
    EXPECT_EQ(rows[0].watts, 500.0);
    const auto& decode = std::get<model::Kernel>(rows[1].kernel);
    EXPECT_EQ(decode.kind, model::KernelKind::decode);
    EXPECT_TRUE(decode.narrow_cache);
    EXPECT_EQ(decode.keys, 4096.0);
    EXPECT_EQ(rows[1].line, 3);
    const auto& sum = std::get<VectorKernel>(rows[2].kernel);
    EXPECT_EQ(sum.shape, (std::vector<double>{16, 32, 8}));
    EXPECT_EQ(sum.operands, 2.0);
    EXPECT_EQ(sum.division, model::Division::of_result);
}

TEST_F(KernelFile, releases_begin_with_a_number) {
    const std::string heading = "operator,library,release,m,n,k\n";
    const auto rows = read(heading + "gemm,sglang,0.5.14,1,2,3\ngemm,vllm,,1,2,3\n");
    ASSERT_EQ(rows.size(), 2U) << diagnostics_.text();
    EXPECT_EQ(std::get<model::Kernel>(rows[0].kernel).library, model::KernelLibrary::sglang);
    EXPECT_EQ(std::get<model::Kernel>(rows[0].kernel).release, "0.5.14");
    EXPECT_EQ(std::get<model::Kernel>(rows[1].kernel).release, "");
    read(heading + "gemm,vllm,v0.24,1,2,3\n");
    EXPECT_THAT(diagnostics_.text(),
                HasSubstr("rows.csv:2:1: error: release: 'v0.24' is no release (write it as "
                          "0.24.0 or 1.3.0rc20)"));
}

TEST_F(KernelFile, what_is_wrong_is_said_by_line) {
    const auto rows = read(
        "operator,format,m,n,k,batch,heads,kv_heads,head_dim,queries,keys,shape\n"
        "gem,,1,1,1,,,,,,,\n"
        "gemm,bf61,1,1,1,,,,,,,\n"
        "gemm,,0,1,,,,,,,,\n"
        "decode,,,,,1,2,4,128,2,1,\n"
        "elementwise,,,,,,,,,,,4x\n");
    EXPECT_TRUE(rows.empty());
    const std::string text = diagnostics_.text();
    EXPECT_THAT(text, HasSubstr("rows.csv:2:1: error: operator: unknown operator 'gem'"));
    EXPECT_THAT(text, HasSubstr("did you mean 'gemm'?"));
    EXPECT_THAT(text, HasSubstr("rows.csv:3:1: error: format: unknown format 'bf61'"));
    EXPECT_THAT(text, HasSubstr("rows.csv:4:1: error: m: '0' is not a number between 1 and 1e+15"));
    EXPECT_THAT(text, HasSubstr("rows.csv:4:1: error: k: missing (a gemm has it)"));
    EXPECT_THAT(text, HasSubstr("rows.csv:5:1: error: kv_heads: more than heads"));
    EXPECT_THAT(text, HasSubstr("rows.csv:5:1: error: keys: fewer than queries"));
    EXPECT_THAT(text, HasSubstr("rows.csv:6:1: error: shape: '4x' is not a shape"));
}

TEST_F(KernelFile, blank_lines_count_as_lines) {
    read("operator,m,n,k\n\ngemm,1,1,1\n\ngemm,0,1,1\n");
    EXPECT_THAT(diagnostics_.text(), HasSubstr("rows.csv:5:1: error: m: '0' is not a number"));
}

TEST_F(KernelFile, experts_are_as_many_as_are_chosen_or_spread) {
    read(
        "operator,tokens,hidden,inner,choices,experts,tensor_ranks,expert_ranks\n"
        "experts,64,4096,1024,8,8,1,8\n"
        "experts,64,4096,1024,9,8,1,1\n"
        "experts,64,4096,1024,2,8,1,16\n");
    EXPECT_EQ(diagnostics_.error_count(), 2U) << diagnostics_.text();
    EXPECT_THAT(diagnostics_.text(), HasSubstr("rows.csv:3:1: error: choices: more than experts"));
    EXPECT_THAT(diagnostics_.text(), HasSubstr("rows.csv:4:1: error: expert_ranks: more than experts"));
}

TEST_F(KernelFile, formats_are_also_called_precision) {
    const auto rows = read("operator,precision,m,n,k\ngemm,fp8,1,1,1\ngemm,fp16,1,1,1\ngemm,,1,1,1\n");
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(std::get<model::Kernel>(rows[0].kernel).format, model::OperandFormat::fp8);
    EXPECT_EQ(std::get<model::Kernel>(rows[1].kernel).format, model::OperandFormat::bf16);
    EXPECT_EQ(std::get<model::Kernel>(rows[2].kernel).format, model::OperandFormat::bf16);

    read("operator,precision,m,n,k\ngemm,fp32,1,1,1\n");
    EXPECT_THAT(diagnostics_.text(), HasSubstr("rows.csv:2:1: error: precision: unknown precision 'fp32'"));
    read("operator,precision,format,m,n,k\ngemm,fp8,bf16,1,1,1\n");
    EXPECT_THAT(diagnostics_.text(), HasSubstr("precision: 'fp8', but format is 'bf16'"));
}

TEST_F(KernelFile, times_have_the_unit_of_their_column) {
    const auto rows = read(
        "operator,m,n,k,seconds,milliseconds,microseconds\ngemm,1,1,1,2,,\ngemm,1,1,1,,2,\n"
        "gemm,1,1,1,,,2\ngemm,1,1,1,,,\n");
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].seconds, 2.0);
    EXPECT_DOUBLE_EQ(rows[1].seconds, 2e-3);
    EXPECT_DOUBLE_EQ(rows[2].seconds, 2e-6);
    EXPECT_EQ(rows[3].seconds, 0.0);
    read("operator,m,n,k,seconds,milliseconds\ngemm,1,1,1,2,2000\n");
    EXPECT_THAT(diagnostics_.text(), HasSubstr("rows.csv:2:1: error: milliseconds: seconds is stated, too"));
}

TEST_F(KernelFile, sizes_of_products_need_no_operator) {
    const auto rows = read("m,n,k,seconds\n16,32,64,1e-5\n");
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].operator_name, "gemm");
    EXPECT_EQ(std::get<model::Kernel>(rows[0].kernel).k, 64.0);
}

TEST_F(KernelFile, a_file_needs_its_first_column) {
    read("operater,m\ngemm,1\n");
    EXPECT_THAT(diagnostics_.text(), HasSubstr("rows.csv:1:1: error: operator: no column of this name"));
}

TEST_F(KernelFile, messages_begin_long_texts) {
    const std::string text(70'000, 'q');
    for (const std::string& table :
         {"m,n,k\n" + text + ",1,1\n", "m,n,k,format\n1,1,1," + text + "\n",
          "m,n,k,library\n1,1,1," + text + "\n", "m,n,k,release\n1,1,1," + text + "\n",
          "operator,m,n,k\n" + text + ",1,1,1\n", "m,n,k," + text + "\n1,1,1,1\n"}) {
        diagnostics_ = {};
        read(table);
        EXPECT_LT(diagnostics_.text().size(), 1000U) << table.substr(0, 20);
        EXPECT_THAT(diagnostics_.text(), HasSubstr("qqq…")) << table.substr(0, 20);
    }
}

}  // namespace
}  // namespace dse::app
