#include "app/row_conditions.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_summary.hpp"
#include "dse/base/error.hpp"
#include "support/error_message.hpp"

namespace dse::app {
namespace {

/// Rows of tp, schedule, bandwidth and memory_peak.
results::Table small_table(const std::string& yaml) {
    using results::ColumnKind;
    using results::ColumnRole;
    results::Table table;
    table.schema.sweep.yaml = yaml;
    table.schema.sweep.facts = {{"system.devices", "8"},
                                {"workload.mode", "training"},
                                {"a.latency", "1e-06"},
                                {"b.latency", "2e-06"}};
    table.schema.points = {{"tp", ColumnKind::integer, ColumnRole::axis, "", {}},
                           {"schedule", ColumnKind::label, ColumnRole::axis, "", {"gpipe", "1f1b"}},
                           {"cluster.link.bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}}};
    table.points = {{1, 2, 4}, {0, 1, 1}, {25e9, 50e9, 50e9}};
    table.point_id = {0, 1, 2};
    table.status.assign(3, space::Status::ok);
    table.metrics.resize(table.schema.metrics.size());
    for (std::size_t m = 0; m < table.metrics.size(); ++m) {
        const bool peak = table.schema.metrics[m].name == "memory_peak";
        table.metrics[m] = peak ? std::vector<double>{10, 20, 30} : std::vector<double>(3, NAN);
    }
    return table;
}

std::vector<bool> rows_where(const std::vector<std::string>& more, const std::string& yaml = "") {
    const results::Table table = small_table(yaml);
    RowConditions conditions{table.schema, more};
    std::vector<bool> hold;
    for (std::size_t row = 0; row < table.rows(); ++row) hold.push_back(conditions.hold(table, row));
    return hold;
}

using ::testing::ElementsAre;
using Rows = std::vector<bool>;

TEST(RowConditions, AreOverMetricsAxesAndFields) {
    EXPECT_EQ(rows_where({}), (Rows{true, true, true}));
    EXPECT_EQ(rows_where({"memory_peak < '25 B'"}), (Rows{true, true, false}));
    EXPECT_EQ(rows_where({"memory_peak < '25 B'", "tp > 1"}), (Rows{false, true, false}));
    EXPECT_EQ(rows_where({"schedule == '1f1b'"}), (Rows{false, true, true}));
    EXPECT_EQ(rows_where({"bandwidth > '300 Gbps'"}), (Rows{false, true, true}));
    EXPECT_EQ(rows_where({"tp * 4 >= devices and mode == 'training'"}), (Rows{false, true, true}));
    EXPECT_EQ(rows_where({"energy > 0"}), (Rows{false, false, false})) << "without a value";
}

TEST(RowConditions, AskForQuotesAroundAValueThatFieldsAreCalled) {
    results::ResultSchema schema = small_table("").schema;
    schema.sweep.facts.insert(schema.sweep.facts.end(), {{"a.gpipe", "1"}, {"b.gpipe", "2"}});
    const std::vector<std::string> where{"schedule == gpipe"};
    try {
        const RowConditions conditions{schema, where};
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("a value of an axis is written in quotes: 'gpipe'"));
    }
}

TEST(RowConditions, AskForMoreOfAPathThatSeveralAxesEndWith) {
    results::ResultSchema schema = small_table("").schema;
    schema.points.push_back(
        {"device.bandwidth", results::ColumnKind::real, results::ColumnRole::axis, "B/s", {}});
    EXPECT_EQ(dse::test::error_message([&] {
                  RowConditions{schema, {"bandwidth > 1e12"}};
              }),
              "'bandwidth' may be cluster.link.bandwidth or device.bandwidth: give more of its path");
    EXPECT_NO_THROW((RowConditions{schema, {"device.bandwidth > 1e12"}}));
}

TEST(RowConditions, OfTheSweepHoldTooWithItsMetrics) {
    const std::string yaml =
        "metrics: {each: memory_peak / tp, twice: 2 * each}\nwhere: [twice <= 20, memory_peak > 15]\n";
    EXPECT_EQ(rows_where({}, yaml), (Rows{false, true, true}));
    EXPECT_EQ(rows_where({"tp < 3"}, yaml), (Rows{false, true, false}));
    EXPECT_EQ(rows_where({"each < 8"}, yaml), (Rows{false, false, true}));
}

TEST(RowConditions, RefuseWhatTheyDoNotKnow) {
    EXPECT_EQ(dse::test::error_message([] { rows_where({"memory_peek < 3"}); }),
              "no metric, axis or field is called 'memory_peek' (did you mean 'memory_peak'?)");
    EXPECT_THROW(rows_where({"latency < 3"}), InputError) << "of a or of b";
    EXPECT_THROW(rows_where({"memory_peak <"}), InputError);
}

/// A number without a unit is in SI units, which is hardly meant of 400 bytes per second.
TEST(RowConditions, RefuseQuantitiesBesideBareNumbers) {
    EXPECT_EQ(
        dse::test::error_message([] { rows_where({"tp > 1 and bandwidth >= 400"}); }),
        "'tp > 1 and bandwidth >= 400': 'bandwidth' is in B/s, so that 400 means 400 B/s (write '400 B/s' "
        "or '400 GB/s')");
    EXPECT_EQ(rows_where({"bandwidth >= 4e10", "memory_peak > 0"}), (Rows{false, true, true}));
}

TEST(RowFilter, TakesRowsThatBreakAConditionForRowsWithoutAnAnswer) {
    results::Table table = small_table("where: memory_peak > 15");
    RowFilter filter{{"tp < 3"}};
    using space::Status;
    EXPECT_THAT(filter.statuses(table),
                ElementsAre(Status::outside_validity, Status::ok, Status::outside_validity));
    table.status[0] = Status::failed;
    table.points[0] = {1, 4, 2};
    EXPECT_THAT(filter.statuses(table), ElementsAre(Status::failed, Status::outside_validity, Status::ok))
        << "of the rows in hand, and what failed is no more than that";
    const results::Table plain = small_table("");
    EXPECT_EQ(RowFilter{}.statuses(plain).data(), plain.status.data())
        << "nothing is copied where there is no condition";
}

TEST(RunSummary, SaysSoWhereItCannotHoldTheSweepsConditionsAgainstRows) {
    results::Table table = small_table("where: beauty > 3");
    table.schema.sweep.objectives = {{"memory_peak"}};
    table.reason.resize(3);
    table.wall_seconds.resize(3);
    table.rank.resize(3);
    table.host.resize(3);
    RunSummary summary{results::without_rows(table)};
    summary.add(table);
    EXPECT_NE(summary.text().find("Rows that violate the sweep's 'where' are included: "), std::string::npos)
        << summary.text();
}

}  // namespace
}  // namespace dse::app
