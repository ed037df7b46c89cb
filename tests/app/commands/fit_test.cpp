#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::run_app;
using ::testing::HasSubstr;
using ::testing::Not;

/// What is fitted, tests/analysis/test_fit_device.py holds.
class Fit : public ::testing::Test {
  protected:
    std::string refusal(const std::string& rows) {
        const auto outcome = run_app(
            {"fit", "h100_sxm", "--gemm", folder_.write("rows.csv", rows), "-o", folder_.path("out.yaml")});
        EXPECT_NE(outcome.code, 0);
        return outcome.err;
    }

    dse::test::TemporaryFolder folder_;
};

TEST_F(Fit, needs_measurements) {
    const auto outcome = run_app({"fit", "h100_sxm", "-o", folder_.path("out.yaml")});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("nothing to fit (--gemm, --attention"));
}

TEST_F(Fit, takes_kernels_or_logs_and_the_link_that_they_ran_over) {
    const std::string rows = folder_.write("rows.csv", "operator,m,n,k,seconds\ngemm,1,2,3,1e-6\n");
    const auto error = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"fit", "h100_sxm", "-o", folder_.path("out.yaml")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run_app(arguments);
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_THAT(error({"--gemm", rows, "--nccl", rows, "--link", "450"}),
                HasSubstr("run dse fit once for each"));
    EXPECT_THAT(error({"--nccl", rows, "--link", "fast"}), HasSubstr("--link"));
    EXPECT_THAT(error({"--nccl", rows, "--link", "-1"}), HasSubstr("--link"));
    EXPECT_THAT(error({"--nccl", rows, "--link", "1", "--collective", "broadcast"}), HasSubstr("all_gather"));
}

TEST_F(Fit, what_is_wrong_with_rows_is_said_by_line) {
    EXPECT_THAT(refusal("operator,m,n,k,seconds\ngemm,1,2,3,1e-6\ngemm,1,2,x,1e-6\n"),
                HasSubstr("rows.csv:3:1: error: k: 'x' is not a number between 1 and 1e+15"));
    EXPECT_THAT(refusal("operator,m,n,k,seconds\ngemm,1,2,3,1e-6\ngemm,1,2,4,\n"),
                HasSubstr("rows.csv:3:1: error: seconds: missing"));
    const std::string untimed = refusal("operator,m,n,k,ms\ngemm,1,2,3,4\ngemm,1,2,4,5\n");
    EXPECT_THAT(untimed,
                HasSubstr("rows.csv:1:1: error: seconds: no row has a measured time (column seconds, "
                          "milliseconds or microseconds)"));
    EXPECT_THAT(untimed, Not(HasSubstr("missing")));
}

TEST_F(Fit, knows_the_device_that_it_starts_from) {
    const std::string rows = folder_.write("rows.csv", "operator,m,n,k,seconds\ngemm,1,2,3,1e-6\n");
    const auto outcome = run_app({"fit", "h100_sxn", "--gemm", rows, "-o", folder_.path("out.yaml")});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.err, HasSubstr("h100_sxm"));
}

}  // namespace
}  // namespace dse::app
