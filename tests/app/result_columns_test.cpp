#include "app/result_columns.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

using results::Column;
using results::ColumnKind;
using results::ColumnRole;
using testing::HasSubstr;
using testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const Column bandwidth{"cluster.network.scale_out.bandwidth", ColumnKind::real, ColumnRole::axis, "B/s", {}};
const Column schedule{"schedule", ColumnKind::label, ColumnRole::axis, "", {"gpipe", "1f1b"}};
const Column tp{"tp", ColumnKind::integer, ColumnRole::axis, "", {}};

/// Three points: tp 1, 2, 2; schedule gpipe, 1f1b, 1f1b; bandwidth the same throughout.
results::Table three_rows() {
    results::Table table;
    table.schema.points = {tp, schedule, bandwidth};
    table.points = {{1, 2, 2}, {0, 1, 1}, {5e10, 5e10, 5e10}};
    table.point_id = {0, 1, 2};
    table.status = {space::Status::ok, space::Status::ok, space::Status::ok};
    table.reason.resize(3);
    table.metrics.assign(table.schema.metrics.size(), {nan, nan, nan});
    table.metrics[0] = {1.0, 2.0, 3.0};  // iteration_time
    return table;
}

TEST(FirstRows, AreAllOrSoMany) {
    EXPECT_THAT(first_rows(three_rows()), testing::ElementsAre(0, 1, 2));
    EXPECT_THAT(first_rows(three_rows(), 2), testing::ElementsAre(0, 1));
    EXPECT_THAT(first_rows(three_rows(), 9), testing::SizeIs(3));
}

TEST(MetricText, TellsSharesFromCounts) {
    EXPECT_EQ(metric_text({"slo_attainment", "1"}, 0.985), "98.5 %");
    EXPECT_EQ(metric_text({"queue_max", "1"}, 20.0), "20");
    EXPECT_EQ(metric_text({"slo_worst", "1"}, 2.5), "2.5");
    EXPECT_EQ(metric_text({"chat_requests", "1"}, 20.0), "20") << "of a class of requests";
    EXPECT_EQ(metric_text({"decode_queue_mean", "1"}, 0.5), "0.5") << "of a pool";
}

TEST(ColumnJson, IsForPrograms) {
    EXPECT_EQ(column_json(bandwidth, 5e10), Json(5e10));
    EXPECT_EQ(column_json(schedule, 1.0), Json("1f1b"));
    EXPECT_EQ(column_json(tp, 8.0), Json(8));
    EXPECT_TRUE(column_json(tp, nan).is_null());
    EXPECT_EQ(column_json(Column{"flag", ColumnKind::flag, ColumnRole::axis, "", {}}, 1.0), Json(true));
}

TEST(VariedAxes, LeavesOutWhatStaysTheSame) {
    VariedAxes axes{three_rows()};
    axes.add(three_rows());
    EXPECT_EQ(axes.axes(), (std::vector<std::size_t>{0, 1}));
}

TEST(VariedAxes, ComparesBlocks) {
    results::Table first = three_rows();
    results::Table second = three_rows();
    for (results::Table* table : {&first, &second}) {
        table->points = {{1, 1, 1}, {0, 0, 0}, {5e10, 5e10, 5e10}};
    }
    second.points[1] = {1, 1, 1};
    VariedAxes axes{first};
    axes.add(first);
    EXPECT_TRUE(axes.axes().empty());
    axes.add(second);
    EXPECT_EQ(axes.axes(), (std::vector<std::size_t>{1}));
}

TEST(RowsText, SaysOnceWhatRowsHaveInCommon) {
    const std::vector<metrics::Objective> objectives{{"iteration_time"}};
    const std::vector<std::size_t> alike{1, 2};
    EXPECT_THAT(rows_text(three_rows(), alike, objectives, {0, 1}),
                HasSubstr("all of them: tp=2 schedule=1f1b\n"));
    const std::vector<std::size_t> all{0, 1, 2};
    EXPECT_THAT(rows_text(three_rows(), all, objectives, {0, 1}), Not(HasSubstr("all of them")));
    EXPECT_THAT(rows_text(three_rows(), all, objectives, {0, 1}, {"a", "b", "c"}), HasSubstr("  b"));
}

TEST(UsualMetrics, AreThoseOfTheMode) {
    results::Table table = three_rows();
    EXPECT_THAT(usual_metrics(table), testing::ElementsAre("mfu", "memory_peak"));
    table.schema.sweep.facts = {{"workload.mode", "serving"}};
    EXPECT_THAT(usual_metrics(table), testing::Contains("tpot_p99"));
}

TEST(RowsText, LeavesOutWhatDoesNotFit) {
    const std::vector<metrics::Objective> objectives{{"iteration_time"}};
    const std::vector<std::size_t> all{0, 1, 2};
    results::Table table = three_rows();
    const auto mfu = std::find_if(table.schema.metrics.begin(), table.schema.metrics.end(),
                                  [](const results::MetricColumn& column) { return column.name == "mfu"; });
    table.metrics[static_cast<std::size_t>(mfu - table.schema.metrics.begin())] = {0.5, 0.5, 0.5};
    // Two spaces before each of: iteration_time (14), mfu (6), tp (2), schedule (8): 38 columns.
    setenv("COLUMNS", "38", 1);
    EXPECT_THAT(rows_text(table, all, objectives, {0, 1}), Not(HasSubstr("left out")));
    setenv("COLUMNS", "30", 1);
    const std::string narrow = rows_text(table, all, objectives, {0, 1});
    EXPECT_THAT(narrow, HasSubstr("  iteration_time  tp  schedule\n"));
    EXPECT_THAT(narrow, HasSubstr("left out for lack of width"));
    setenv("COLUMNS", "24", 1);
    EXPECT_THAT(rows_text(table, all, objectives, {0, 1}), HasSubstr("  iteration_time  tp\n"));
    unsetenv("COLUMNS");
}

}  // namespace
}  // namespace dse::app
