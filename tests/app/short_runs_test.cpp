#include "app/short_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/metrics/objective.hpp"

namespace dse::app {
namespace {

using space::Status;
using ::testing::HasSubstr;

constexpr double none = metrics::not_a_number;

/// Rows with these highest rates, and the rates that broke the levels.
results::Table rows_of(const std::vector<double>& rates, const std::vector<double>& breaking) {
    results::Table table;
    table.schema.metrics = {{"max_request_rate", "1/s"}, {"max_request_rate_high", "1/s"}};
    table.metrics = {rates, breaking};
    table.point_id.assign(rates.size(), 0);
    table.status.assign(rates.size(), Status::ok);
    return table;
}

std::string short_runs_text(const results::Table& rows) {
    ShortRuns runs;
    runs.add(rows, rows.status);
    return runs.text();
}

TEST(ShortRuns, AreThoseOfWhichNoRateBrokeTheLevels) {
    EXPECT_EQ(short_runs_text(rows_of({90.0, 0.0, none}, {94.0, 0.5, none})), "")
        << "found, none, not sought";
    EXPECT_THAT(short_runs_text(rows_of({90.0, 110.0, 5000.0}, {94.0, none, none})),
                HasSubstr("TOO FEW REQUESTS for max_request_rate of 2 rows"));
}

TEST(ShortRuns, AreCountedOverBlocksWhereTheyMeetConditions) {
    ShortRuns runs;
    const results::Table rows = rows_of({110.0, 110.0}, {none, none});
    runs.add(rows, std::vector{Status::ok, Status::outside_validity});
    runs.add(rows, rows.status);
    EXPECT_THAT(runs.text(), HasSubstr("of 3 rows"));
}

TEST(ShortRuns, AreNotKnownOfOlderResults) {
    results::Table table = rows_of({90.0, 0.0, none}, {});
    table.schema.metrics.pop_back();
    table.metrics.pop_back();
    EXPECT_THAT(short_runs_text(table), HasSubstr("max_request_rate of 1 row may be only a lower bound"));
}

TEST(ShortRuns, OfOtherResultsNothingIsSaid) {
    results::Table table = rows_of({1.0}, {none});
    table.schema.metrics = {{"iteration_time", "s"}, {"mfu", "1"}};
    EXPECT_EQ(short_runs_text(table), "");
}

}  // namespace
}  // namespace dse::app
