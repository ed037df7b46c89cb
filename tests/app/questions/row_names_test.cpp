#include "app/questions/row_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/questions/small_results.hpp"
#include "support/error_message.hpp"

namespace dse::app {
namespace {

using testing::HasSubstr;

TEST(RowNames, AreEndsOfPaths) {
    const results::Table table = test::small_results({1}, {1}, {1});
    EXPECT_EQ(point_column(table, "tp"), 0U);
    EXPECT_EQ(point_column(table, "bandwidth"), 2U);
    EXPECT_THAT(dse::test::error_message([&] { point_column(table, "bandwith"); }),
                HasSubstr("network.bandwidth"));
    EXPECT_THAT(dse::test::error_message([&] { point_column(table, "width"); }), HasSubstr("no axis"));
}

TEST(RowNames, OfMetricsAreListedOnce) {
    const results::Table table = test::small_results({1}, {1}, {1});
    EXPECT_EQ(parse_metrics(table, "memory_peak, iteration_time,memory_peak"),
              (std::vector<std::string>{"memory_peak", "iteration_time"}));
    EXPECT_THAT(dse::test::error_message([&] { parse_metrics(table, "memory_peek"); }),
                HasSubstr("memory_peak"));
    EXPECT_THAT(dse::test::error_message([&] { parse_metrics(table, ","); }), HasSubstr("without a name"));
}

TEST(RowNames, HaveValuesAsUsersWriteThem) {
    const auto columns = test::small_results({1}, {1}, {1}).schema.points;
    EXPECT_EQ(parse_column_value(columns[0], "8"), 8.0);
    EXPECT_EQ(parse_column_value(columns[1], "1f1b"), 1.0);
    EXPECT_EQ(parse_column_value(columns[2], "400 Gbps"), 50e9);
    EXPECT_THAT(dse::test::error_message([&] { parse_column_value(columns[1], "1f1c"); }), HasSubstr("1f1b"));
    EXPECT_THAT(dse::test::error_message([&] { parse_column_value(columns[0], "eight"); }),
                HasSubstr("integer"));
    EXPECT_THAT(dse::test::error_message([&] { parse_column_value(columns[2], "400 GiB"); }),
                HasSubstr("network.bandwidth"));
}

}  // namespace
}  // namespace dse::app
