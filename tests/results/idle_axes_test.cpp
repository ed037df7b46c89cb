#include "dse/results/idle_axes.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace dse::results {
namespace {

using Names = std::vector<std::string>;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Rows of (a, b, time): two axes, one metric; a row without a time does not fit.
Table table_of(const std::vector<std::array<double, 3>>& rows) {
    Table table;
    table.schema.points = {{"a", ColumnKind::integer, ColumnRole::axis, "", {}},
                           {"b", ColumnKind::integer, ColumnRole::axis, "", {}},
                           {"a_and_b", ColumnKind::integer, ColumnRole::derived, "", {}}};
    table.schema.metrics = {{"iteration_time", "s"}};
    table.points.resize(3);
    table.metrics.resize(1);
    for (const auto& [a, b, time] : rows) {
        table.point_id.push_back(table.point_id.size());
        table.status.push_back(std::isnan(time) ? space::Status::out_of_memory : space::Status::ok);
        table.points[0].push_back(a);
        table.points[1].push_back(b);
        table.points[2].push_back(10 * a + b);
        table.metrics[0].push_back(time);
    }
    return table;
}

Names idle_axes(const Table& table) {
    IdleAxes axes{table};
    axes.add(table);
    return axes.names();
}

TEST(IdleAxes, NamesTheAxisThatChangesNothing) {
    EXPECT_EQ(idle_axes(table_of({{1, 1, 5}, {1, 2, 5}, {2, 1, 7}, {2, 2, 7}})), (Names{"b"}));
}

TEST(IdleAxes, OneDifferenceIsEnough) {
    EXPECT_EQ(idle_axes(table_of({{1, 1, 5}, {1, 2, 5}, {2, 1, 7}, {2, 2, 7.5}})), Names{});
    EXPECT_EQ(idle_axes(table_of({{1, 1, 5}, {1, 2, none}, {2, 1, 7}, {2, 2, 7}})), Names{});
}

TEST(IdleAxes, NoAnswerTwiceIsTheSame) {
    EXPECT_EQ(idle_axes(table_of({{1, 1, 5}, {1, 2, 5}, {2, 1, none}, {2, 2, none}})), (Names{"b"}));
    // Of points that all have none nothing is known.
    EXPECT_EQ(idle_axes(table_of({{1, 1, none}, {1, 2, none}})), Names{});
}

TEST(IdleAxes, LooksAtRowsOfAllBlocks) {
    const Table first = table_of({{1, 1, 5}, {2, 1, 7}});
    IdleAxes same{first};
    same.add(first);
    same.add(table_of({{1, 2, 5}, {2, 2, 7}}));
    EXPECT_EQ(same.names(), (Names{"b"}));
    IdleAxes other{first};
    other.add(first);
    other.add(table_of({{1, 2, 5}, {2, 2, 8}}));
    EXPECT_EQ(other.names(), Names{});
}

// Of 200,000 groups of rows that differ in b alone, every fourth is looked at; those of a all have other
// answers.
TEST(IdleAxes, LooksAtAPartOfManyRows) {
    constexpr std::size_t count = 200'000;
    for (const bool idle : {true, false}) {
        std::vector<std::array<double, 3>> rows;
        for (const double b : {0.0, 1.0}) {
            for (std::size_t a = 0; a < count; ++a) {
                const double x = static_cast<double>(a);
                rows.push_back({x, b, idle ? x : x + (a % 100 == 7 ? b : 0.0)});
            }
        }
        const Table table = table_of(rows);
        IdleAxes axes{table};
        axes.add(table);
        EXPECT_EQ(axes.names(), idle ? Names{"b"} : Names{});
        EXPECT_EQ(axes.looked_at_one_of(), idle ? 4U : 1U);
    }
}

// No two rows differ in one axis alone: drawn points, or axes that go together.
TEST(IdleAxes, SaysNothingWithoutNeighbours) {
    EXPECT_EQ(idle_axes(table_of({{1, 1, 5}, {2, 2, 5}, {3, 3, 5}})), Names{});
    EXPECT_EQ(idle_axes(table_of({{1, 1, 5}})), Names{});
}

}  // namespace
}  // namespace dse::results
