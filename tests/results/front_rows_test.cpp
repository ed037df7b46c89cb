#include "dse/results/front_rows.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Rows with these values of iteration_time, mfu and energy.
Table table_of(const std::vector<std::array<double, 3>>& rows, std::uint64_t first = 0) {
    Table table = empty_table(sample_schema());
    Table one = table;
    for (const auto& values : rows) {
        one.clear();
        for (auto& column : one.points) column.push_back(0.0);
        for (auto& column : one.metrics) column.push_back(none);
        const std::array names{"iteration_time", "mfu", "energy"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            for (std::size_t c = 0; c < one.metrics.size(); ++c) {
                if (one.schema.metrics[c].name == names[i]) one.metrics[c][0] = values[i];
            }
        }
        one.point_id.push_back(first++);
        one.status.push_back(std::isnan(values[0]) ? space::Status::failed : space::Status::ok);
        one.reason.emplace_back();
        one.wall_seconds.push_back(0.0);
        one.rank.push_back(0);
        one.host.emplace_back();
        table.append(one, 0);
    }
    return table;
}

const std::vector<metrics::Objective> wanted =
    metrics::parse_objectives("iteration_time, mfu: maximize, energy");

TEST(FrontRows, AreTheFrontOfAllRowsInAnyBlocks) {
    std::mt19937_64 random{5};
    std::vector<std::array<double, 3>> rows;
    for (int i = 0; i < 400; ++i) {
        const auto draw = [&] { return static_cast<double>(random() % 30); };
        rows.push_back({random() % 9 == 0 ? none : draw(), draw(), random() % 7 == 0 ? none : draw()});
    }
    const Table all = table_of(rows);
    std::vector<std::uint64_t> expected;
    for (const std::size_t row : metrics::pareto_front(costs(all, wanted))) expected.push_back(row);
    ASSERT_GT(expected.size(), 3U);
    for (const std::size_t block : {1U, 7U, 100U, 400U}) {
        FrontRows front{all, wanted};
        for (std::size_t first = 0; first < rows.size(); first += block) {
            const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = begin + static_cast<std::ptrdiff_t>(std::min(block, rows.size() - first));
            front.add(table_of({begin, end}, first));
        }
        EXPECT_EQ(front.rows().point_id, expected) << "blocks of " << block;
        EXPECT_EQ(front.answered(), wanted);
    }
}

TEST(FrontRows, LeaveOutAnObjectiveThatNoRowAnswers) {
    const Table rows = table_of({{1, 0.5, none}, {2, 0.5, none}});
    FrontRows front{rows, wanted};
    front.add(rows);
    EXPECT_THAT(front.answered(), testing::ElementsAre(wanted[0], wanted[1]));
    EXPECT_THAT(front.rows().point_id, testing::ElementsAre(0));
    // The first row with energy drives out all that have none.
    front.add(table_of({{9, 0.1, 5}}, 2));
    EXPECT_EQ(front.answered(), wanted);
    EXPECT_THAT(front.rows().point_id, testing::ElementsAre(2));
}

TEST(FrontRows, AreNoneWithoutAnswers) {
    const Table rows = table_of({{none, none, none}});
    FrontRows front{rows, wanted};
    front.add(rows);
    EXPECT_EQ(front.rows().rows(), 0U);
    EXPECT_TRUE(front.answered().empty());
}

TEST(FrontRows, NeedColumns) {
    EXPECT_THROW(FrontRows(empty_table(sample_schema()), {{"mfuu"}}), InputError);
}

TEST(OrderedRows, BeginWithTheBestInTheFirstObjective) {
    const Table rows = table_of({{3, 0.5, 1}, {1, 0.1, 9}, {1, 0.2, 9}});
    EXPECT_THAT(ordered_rows(rows, wanted), testing::ElementsAre(2, 1, 0));
    EXPECT_THAT(best_first(rows, wanted).point_id, testing::ElementsAre(2, 1, 0));
}

}  // namespace
}  // namespace dse::results::test
