#include "dse/hardware/device/measured_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"
#include "support/temporary_folder.hpp"

namespace dse::hardware {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class MeasuredTableFile : public testing::Test {
  protected:
    std::vector<MeasuredRow> read(const std::string& text) {
        return read_measured_rows(folder_.write("rows.csv", text), diagnostics_);
    }

    test::TemporaryFolder folder_;
    config::Diagnostics diagnostics_;
};

TEST_F(MeasuredTableFile, products_and_streams) {
    const auto rows = read(
        "operator,precision,shape,bytes,seconds\n"
        "gemm,fp16,64x32x16,,1e-6\n"
        "gemm,bf16,2x64x32x16,,2e-6\n"
        "elementwise,fp16,,4096,3e-6\n");
    EXPECT_EQ(diagnostics_.text(), "");
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].op, "gemm");
    EXPECT_EQ(rows[0].batch, 1.0);
    EXPECT_EQ(rows[0].m, 64.0);
    EXPECT_EQ(rows[0].n, 32.0);
    EXPECT_EQ(rows[0].k, 16.0);
    EXPECT_EQ(rows[0].time, Seconds{1e-6});
    EXPECT_EQ(rows[1].batch, 2.0);
    EXPECT_EQ(rows[1].precision, "bf16");
    EXPECT_EQ(rows[2].bytes, Bytes{4096});
    EXPECT_EQ(rows[2].line, 4);
}

TEST_F(MeasuredTableFile, columns_stand_in_any_order) {
    const auto rows = read(
        "seconds,shape,who,bytes,precision,operator\n1e-6,8x8x8,me,,fp8,gemm\n1e-6,8x8x8,me,,int8,gemm\n");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].precision, "fp8");
    EXPECT_EQ(rows[1].precision, "int8");
}

TEST_F(MeasuredTableFile, every_bad_line_is_named) {
    read(
        "operator,precision,shape,bytes,seconds\n"
        "gemm,fp16,64x32,,1e-6\n"
        "elementwise,fp16,64x32,,1e-6\n"
        "gemm,fp16,64x32x16,,-1\n"
        "gemm,fp16,64x32x0,,1\n"
        "gem,fp16,8x8x8,,1\n"
        "gemm,half,8x8x8,,1\n");
    EXPECT_THAT(
        diagnostics_.text(),
        AllOf(HasSubstr("rows.csv:2:1: error: shape: '64x32' is not a product"),
              HasSubstr("rows.csv:3:1: error: bytes: '' is not an amount"),
              HasSubstr("rows.csv:4:1: error: seconds: '-1' is not a time"), HasSubstr("rows.csv:5:1"),
              HasSubstr("rows.csv:6:1: error: operator: unknown operator 'gem' (did you mean 'gemm'?)"),
              HasSubstr("rows.csv:7:1: error: precision: unknown precision 'half'")));
}

TEST_F(MeasuredTableFile, messages_begin_long_texts) {
    const std::string text(70'000, 'q');
    for (const std::string& row : {text + ",fp16,64x32x16,,1e-6\n", "gemm," + text + ",64x32x16,,1e-6\n",
                                   "gemm,fp16," + text + ",,1e-6\n", "elementwise,fp16,," + text + ",1e-6\n",
                                   "gemm,fp16,64x32x16,," + text + "\n"}) {
        diagnostics_ = {};
        read("operator,precision,shape,bytes,seconds\n" + row);
        EXPECT_THAT(diagnostics_.text(), HasSubstr("qqq…")) << row.substr(0, 20);
        EXPECT_LT(diagnostics_.text().size(), 1000U) << row.substr(0, 20);
    }
}

TEST_F(MeasuredTableFile, a_missing_column_is_named_once) {
    EXPECT_TRUE(read("operator,precision,shape,bytes,second\ngemm,fp16,8x8x8,,1\n").empty());
    EXPECT_THAT(diagnostics_.text(), AllOf(HasSubstr("seconds"), HasSubstr("second'")));
    EXPECT_EQ(diagnostics_.error_count(), 1U);
}

TEST_F(MeasuredTableFile, rows_lie_beside_the_file_that_names_them) {
    folder_.write("rows.csv", "operator,precision,shape,bytes,seconds\ngemm,fp16,8x8x8,,1\n");
    const std::string file = folder_.write("mine.yaml", "{name: mine, source: here, rows: rows.csv}");
    MeasuredTable table;
    config::read_struct(config::load_yaml(file, diagnostics_), table, nullptr, diagnostics_);
    EXPECT_EQ(diagnostics_.text(), "");
    EXPECT_TRUE(table.exists());
    const std::string lost = folder_.write("lost.yaml", "{name: lost, source: here, rows: nowhere.csv}");
    config::read_struct(config::load_yaml(lost, diagnostics_), table, nullptr, diagnostics_);
    EXPECT_THAT(diagnostics_.text(), AllOf(HasSubstr("lost.yaml:1:"), HasSubstr("nowhere.csv")));
}

}  // namespace
}  // namespace dse::hardware
