#include "dse/eval/validation/analysis_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_message.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

using test::error_message;
using testing::HasSubstr;

class AnalysisTables : public testing::Test {
  protected:
    [[nodiscard]] std::string throughput_error(const std::string& text) const {
        return error_message([&] { check_throughputs(folder_.write("t.csv", text)); });
    }
    [[nodiscard]] std::string memory_error(const std::string& text) const {
        return error_message([&] { check_row_errors(folder_.write("m.csv", text)); });
    }

    test::TemporaryFolder folder_;
};

TEST_F(AnalysisTables, TheShippedOnesAreValid) {
    const std::string data = std::string{DSE_SOURCE_DIR} + "/workloads/measured/";
    EXPECT_NO_THROW(check_throughputs(data + "serving_throughput.csv"));
    EXPECT_NO_THROW(check_throughputs(data + "serving_defaults.csv"));
    for (const char* file : {"memory_errors.csv", "memory_fits.csv", "step_errors.csv"})
        EXPECT_NO_THROW(check_row_errors(data + file));
    EXPECT_NO_THROW(check_unknown_errors(data + "unknown_errors.csv"));
}

TEST_F(AnalysisTables, AreKnownByTheirColumns) {
    EXPECT_TRUE(has_throughputs({"model", "tp", "prompt", "output", "requests", "tokens_per_second"}));
    EXPECT_FALSE(has_throughputs({"model", "tp", "prompt", "output", "requests"}));
    EXPECT_TRUE(has_row_errors({"id", "stack", "group", "metric", "weight", "log"}));
    EXPECT_FALSE(has_row_errors({"id", "group", "left_out", "fitted", "also"}));
    EXPECT_TRUE(has_unknown_errors({"unknown", "quantity", "low", "median", "high"}));
    EXPECT_FALSE(has_unknown_errors({"quantity", "low", "median", "high"}));
}

TEST_F(AnalysisTables, CommentsLeaveTheNumbersOfLines) {
    EXPECT_EQ(without_comments("# a\n#\nx,y # no comment\n1,#2\n#"), "\n\nx,y # no comment\n1,#2\n");
}

TEST_F(AnalysisTables, EveryErrorOfARowIsSaid) {
    const std::string columns =
        "# source\nrelease,model,gpu,precision,tp,prompt,output,requests,tokens_per_second\n";
    EXPECT_EQ(throughput_error(columns + "1.0,llama3_8b,h100,fp8,1,128,128,100,26401\n"), "no error");
    const std::string message = throughput_error(columns + "1.0,,h100,fp8,0,128,x,100,inf\n");
    for (const char* part : {"row 1: has no model", "tp is '0', which is not a positive number",
                             "output is 'x'", "tokens_per_second is 'inf'"})
        EXPECT_THAT(message, HasSubstr(part));
    EXPECT_THAT(throughput_error("tp,prompt\n1,2\n"), HasSubstr("has no column 'release'"));
    EXPECT_THAT(throughput_error(""), HasSubstr("is empty"));
}

TEST_F(AnalysisTables, ErrorsOfMemoryAreFiniteAndWeigh) {
    const std::string columns = "id,stack,group,metric,weight,log\n";
    EXPECT_EQ(memory_error(columns + "R1,torchtitan,g,peak_memory,0.5,-0.1\n"), "no error");
    EXPECT_THAT(memory_error(columns + "R1,torchtitan,g,peak_memory,0,nan\n"),
                testing::AllOf(HasSubstr("weight is '0'"), HasSubstr("log is not a finite number")));
    EXPECT_THAT(memory_error(columns + "R1,a,g,peak_memory,1,0\nR1,a,g,peak_memory,1,0\n"),
                HasSubstr("its id is also that of row 1"));
}

TEST_F(AnalysisTables, ErrorsOfTheUnknownAreInOrder) {
    const auto error = [&](const std::string& row) {
        return error_message([&] {
            check_unknown_errors(
                folder_.write("u.csv", "unknown,quantity,kind,rows,weights,low,median,high\n" + row + '\n'));
        });
    };
    EXPECT_EQ(error("software,memory,,9,3,-0.1,0.2,0.5"), "no error");
    EXPECT_THAT(
        error("software,,,0,3,-0.1,0.2,0.1"),
        testing::AllOf(HasSubstr("has no quantity"), HasSubstr("rows is '0'"), HasSubstr("in order")));
    EXPECT_THAT(error("software,memory,,9,3,nan,0.2,0.5"), HasSubstr("three finite numbers"));
}

}  // namespace
}  // namespace dse::eval
