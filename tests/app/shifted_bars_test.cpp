#include "app/shifted_bars.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/metrics/objective.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using space::Status;
using test::run_app;
using ::testing::HasSubstr;
using ::testing::Not;

results::Table rows_of(const std::vector<double>& times, const std::vector<double>& lows,
                       const std::vector<double>& highs) {
    results::Table table;
    table.schema.metrics = {
        {"iteration_time", "s"}, {"iteration_time_low", "s"}, {"iteration_time_high", "s"}};
    table.metrics = {times, lows, highs};
    table.point_id.assign(times.size(), 0);
    table.status.assign(times.size(), Status::ok);
    return table;
}

TEST(ShiftedBars, AreThoseThatDoNotHoldTheTime) {
    constexpr double none = metrics::not_a_number;
    ShiftedBars bars;
    const results::Table inside = rows_of({1.0, 1.0}, {0.9, none}, {1.1, none});
    bars.add(inside, inside.status);
    EXPECT_EQ(bars.text(), "");
    const results::Table outside = rows_of({1.0, 1.0, 1.0}, {1.1, 0.8, 1.1}, {1.3, 0.9, 1.3});
    bars.add(outside, std::vector{Status::ok, Status::ok, Status::outside_validity});
    EXPECT_THAT(bars.text(), HasSubstr("iteration_time of 2 rows is not between"));
}

/// Mixtures with biases take 1.19 to 1.76 times as long as predicted without a stack (docs/accuracy.md).
TEST(ShiftedBars, AreExplainedWhereTheyAreShown) {
    const TemporaryFolder folder;
    const auto sweep = [&](const char* stack) {
        return folder.write(
            "biased.yaml",
            std::string{"name: biased\nworkload: {model: gpt_oss_20b, global_batch: 64, sequence: 4096"} +
                stack +
                "}\nsystem: {cluster: gb200_nvl72, devices: 8}\naxes: {microbatch: [1, 2]}\n"
                "objectives: {iteration_time: minimize}\n");
    };
    const std::string results = folder.path("biased.h5");
    const auto without = sweep("");
    EXPECT_THAT(run_app({without, "-o", results}).out, HasSubstr("is not between its iteration_time_low"));
    EXPECT_THAT(run_app({"best", results}).out, HasSubstr("is not between its iteration_time_low"));
    EXPECT_THAT(run_app({"pareto", results}).out, HasSubstr("is not between its iteration_time_low"));
    EXPECT_THAT(run_app({"point", without, "--set", "microbatch=1"}).out,
                HasSubstr("take longer than predicted of an idealized framework"));
    EXPECT_THAT(run_app({"point", sweep(", stack: nemo_2025_alltoall"), "--set", "microbatch=1"}).out,
                Not(HasSubstr("take longer than predicted")));
}

}  // namespace
}  // namespace dse::app
