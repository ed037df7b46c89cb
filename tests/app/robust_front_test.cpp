#include "app/robust_front.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

using metrics::Direction;

/// A point with bars: its time within a factor of two, its memory within one of e.
struct Row {
    double time;
    double memory;
    double longer{1.0};  ///< what its time takes of the predicted one, in the middle of its bars
};

results::Table table_of(std::initializer_list<Row> rows) {
    results::Table table;
    table.metrics.resize(table.schema.metrics.size());
    const auto add = [&](std::size_t column, double value) { table.metrics[column].push_back(value); };
    for (const Row& row : rows) {
        table.point_id.push_back(table.point_id.size());
        table.status.push_back(space::Status::ok);
        table.reason.emplace_back();
        for (std::size_t c = 0; c < table.schema.metrics.size(); ++c) {
            const std::string& name = table.schema.metrics[c].name;
            add(c, name == "iteration_time"        ? row.time
                   : name == "iteration_time_low"  ? row.longer * row.time / 2.0
                   : name == "iteration_time_high" ? row.longer * row.time * 2.0
                   : name == "memory_peak"         ? row.memory
                   : name == "memory_peak_low"     ? row.memory / std::exp(1.0)
                   : name == "memory_peak_high"    ? row.memory * std::exp(1.0)
                   : name == "mfu"                 ? 1.0 / row.time
                                                   : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return table;
}

bool holds(const results::Table& front, const Row& row, double correlation,
           const std::vector<metrics::Objective>& objectives) {
    const RobustFront robust{front, objectives, {correlation}};
    return robust.holds(table_of({row}), 0);
}

const std::vector<metrics::Objective> time{{"iteration_time", Direction::minimize}};
const std::vector<metrics::Objective> time_and_memory{{"iteration_time", Direction::minimize},
                                                      {"memory_peak", Direction::minimize}};

/// With half of the variance in common a ratio is as uncertain as a value: a factor of two.
TEST(RobustFront, HoldsWhatIsWithinTheErrorOfARatio) {
    const results::Table front = table_of({{1.0, 5.0}});
    EXPECT_TRUE(holds(front, {1.0, 5.0}, 0.5, time));
    EXPECT_TRUE(holds(front, {1.99, 5.0}, 0.5, time));
    EXPECT_FALSE(holds(front, {2.01, 5.0}, 0.5, time));
}

/// 7/8 in common: half of it. All in common: the order is as predicted.
TEST(RobustFront, CorrelatedErrorsTellMore) {
    const results::Table front = table_of({{1.0, 5.0}});
    EXPECT_TRUE(holds(front, {1.41, 5.0}, 0.875, time));
    EXPECT_FALSE(holds(front, {1.42, 5.0}, 0.875, time));
    EXPECT_FALSE(holds(front, {1.01, 5.0}, 1.0, time));
}

/// A table whose rows are at values of an axis.
results::Table along(const char* axis, std::initializer_list<Row> rows, std::vector<double> values) {
    results::Table table = table_of(rows);
    results::Column& column = table.schema.points.emplace_back();
    column.name = axis;
    table.points = {std::move(values)};
    return table;
}

/// All of the variance in common on one chip, half of it on two.
TEST(RobustFront, ErrorsOnOtherChipsHaveLessInCommon) {
    for (const char* axis : {"cluster", "system.cluster", "cluster.device", "stack", "model"}) {
        const results::Table front = along(axis, {{1.0, 5.0}}, {0.0});
        const RobustFront robust{front, time, {1.0, 0.5}};
        EXPECT_FALSE(robust.holds(along(axis, {{1.01, 5.0}}, {0.0}), 0)) << axis;
        EXPECT_TRUE(robust.holds(along(axis, {{1.01, 5.0}}, {1.0}), 0)) << axis;
        EXPECT_FALSE(robust.holds(along(axis, {{2.01, 5.0}}, {1.0}), 0)) << axis;
    }
    const results::Table front = along("cluster.device.memory.bandwidth", {{1.0, 5.0}}, {1e12});
    EXPECT_FALSE((RobustFront{front, time, {1.0, 0.5}}.holds(
        along("cluster.device.memory.bandwidth", {{1.01, 5.0}}, {2e12}), 0)))
        << "a layout on a changed chip";
}

TEST(RobustFront, WhatIsMaximizedIsTheOtherWayRound) {
    const results::Table front = table_of({{1.0, 5.0}});
    const std::vector<metrics::Objective> mfu{{"mfu", Direction::maximize}};
    EXPECT_TRUE(holds(front, {1.99, 5.0}, 0.5, mfu));
    EXPECT_FALSE(holds(front, {2.01, 5.0}, 0.5, mfu));
}

/// A point that may be better in one objective may stand on the front.
TEST(RobustFront, MustBeSurelyWorseInAllObjectives) {
    const results::Table front = table_of({{1.0, 5.0}});
    EXPECT_TRUE(holds(front, {9.0, 5.0}, 0.5, time_and_memory));
    EXPECT_TRUE(holds(front, {1.0, 50.0}, 0.5, time_and_memory));
    EXPECT_FALSE(holds(front, {9.0, 50.0}, 0.5, time_and_memory));
}

/// A chip known from its datasheet leads by a factor of 3, but takes 1.5 times as long as predicted: 2 are
/// left. What is predicted to be as fast on it is surely no better than a front that is known.
TEST(RobustFront, BarsNeedNotHoldThePrediction) {
    const results::Table front = table_of({{1.0, 5.0, 1.5}});
    EXPECT_TRUE(holds(front, {2.99, 5.0}, 0.5, time));
    EXPECT_FALSE(holds(front, {3.01, 5.0}, 0.5, time));
    EXPECT_FALSE(holds(front, {2.01, 5.0, 1.5}, 0.5, time)) << "both are of that chip";
    const results::Table known = table_of({{1.0, 5.0}});
    EXPECT_TRUE(holds(known, {1.33, 5.0, 1.5}, 0.5, time));
    EXPECT_FALSE(holds(known, {1.34, 5.0, 1.5}, 0.5, time));
    const std::vector<metrics::Objective> mfu{{"mfu", Direction::maximize}};
    EXPECT_TRUE(holds(front, {2.99, 5.0}, 0.5, mfu));
    EXPECT_FALSE(holds(known, {1.34, 5.0, 1.5}, 0.5, mfu));
}

TEST(RobustFront, WhatHasNoBarsIsExact) {
    results::Table front = table_of({{1.0, 5.0}});
    results::Table worse = table_of({{1.01, 5.0}});
    for (std::size_t c = 0; c < front.schema.metrics.size(); ++c) {
        if (front.schema.metrics[c].name == "iteration_time_low")
            worse.metrics[c][0] = std::numeric_limits<double>::quiet_NaN();
    }
    EXPECT_FALSE((RobustFront{front, time, {0.5}}.holds(worse, 0)));
}

TEST(RobustFront, InfeasibleRowsAreNone) {
    const results::Table front = table_of({{1.0, 5.0}});
    results::Table row = table_of({{0.5, 5.0}});
    EXPECT_TRUE((RobustFront{front, time, {0.5}}.holds(row, 0)));
    row.status[0] = space::Status::out_of_memory;
    EXPECT_FALSE((RobustFront{front, time, {0.5}}.holds(row, 0)));
}

TEST(RobustFront, FilesOfBeforeHaveNoBars) {
    results::Table front = table_of({{1.0, 5.0}});
    std::erase_if(front.schema.metrics, [](const auto& column) { return column.name.ends_with("_low"); });
    EXPECT_THROW((RobustFront{front, time, {0.5}}), InputError);
}

}  // namespace
}  // namespace dse::app
