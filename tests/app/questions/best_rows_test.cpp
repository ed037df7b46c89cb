// Also tests: questions/row_groups.cpp
#include "app/questions/best_rows.hpp"

#include <gtest/gtest.h>

#include "app/questions/row_groups.hpp"
#include "app/questions/small_results.hpp"
#include "dse/base/error.hpp"

namespace dse::app {
namespace {

TEST(BestRows, AreOrderedByTheFirstObjectiveThenTheNext) {
    results::Table table = test::small_results({1, 2, 4, 8, 16}, {3, 1, 2, 1, 9}, {1, 5, 1, 4, 1});
    table.status[4] = space::Status::failed;
    BestRows best{results::without_rows(table), table.schema.sweep.objectives, 3};
    best.add(table);
    EXPECT_EQ(best.sorted().point_id, (std::vector<std::uint64_t>{3, 1, 2}));
    EXPECT_EQ(best.answered(), 4U);
    EXPECT_EQ(best.valueless(), 0U) << "one has no result at all";
}

TEST(BestRows, CountThoseWithoutAValue) {
    const results::Table table = test::small_results({1, 2, 4}, {3, metrics::not_a_number, 2}, {1, 1, 1});
    BestRows best{results::without_rows(table), table.schema.sweep.objectives, 3};
    best.add(table);
    EXPECT_EQ(best.answered(), 2U);
    EXPECT_EQ(best.valueless(), 1U);
}

TEST(BestRows, TakeTheLargestOfWhatIsMaximised) {
    const results::Table table = test::small_results({1, 2, 4}, {3, 1, 2}, {1, 1, 1});
    BestRows best{results::without_rows(table), {{"iteration_time", metrics::Direction::maximize}}, 2};
    best.add(table);
    EXPECT_EQ(best.sorted().point_id, (std::vector<std::uint64_t>{0, 2}));
}

TEST(BestRows, KeepTheFirstOfEqualOnesOverManyBlocks) {
    BestRows best{results::without_rows(test::small_results({1}, {1}, {1})), {{"iteration_time"}}, 2};
    for (int i = 1000; i > 0; --i) {
        results::Table block = test::small_results({1}, {static_cast<double>(i / 2)}, {1});
        block.point_id[0] = static_cast<std::uint64_t>(1000 - i);
        best.add(block);
    }
    EXPECT_EQ(best.sorted().point_id, (std::vector<std::uint64_t>{999, 997}))
        << "i = 1 (0 s), then 3 before 2 (1 s)";
}

TEST(RowGroups, DivideRowsByAValue) {
    const results::Table table =
        test::small_results({4, 1, 4, metrics::not_a_number}, {1, 2, 3, 4}, {1, 1, 1, 1});
    RowGroups groups{table, "tp"};
    std::vector<std::pair<double, std::size_t>> seen;
    for (int block = 0; block < 2; ++block)
        groups.each(table, [&](const RowGroups::Values& values, const results::Table& rows) {
            seen.emplace_back(values.at(0), rows.rows());
        });
    EXPECT_EQ(seen, (std::vector<std::pair<double, std::size_t>>{{1, 1}, {4, 2}, {1, 1}, {4, 2}}));
    EXPECT_THROW(RowGroups(table, "pp"), InputError);
}

TEST(RowGroups, DivideRowsByCombinationsOfValues) {
    results::Table table = test::small_results({8, 1, 8, 16}, {1, 2, 3, 4}, {1, 1, 1, 1});
    table.points[1] = {0, 1, 1, 0};
    RowGroups groups{table, "schedule, tp"};
    std::vector<std::string> seen;
    groups.each(table, [&](const RowGroups::Values& values, const results::Table& rows) {
        EXPECT_EQ(rows.rows(), 1U);
        seen.push_back(group_text(table, groups.columns(), values));
    });
    EXPECT_EQ(seen, (std::vector<std::string>{"schedule=gpipe tp=8", "schedule=gpipe tp=16",
                                              "schedule=1f1b tp=1", "schedule=1f1b tp=8"}));
    EXPECT_EQ(grouping_names(table, groups.columns()), "schedule,tp");
    EXPECT_THROW(RowGroups(table, "tp,schedule,tp"), InputError);
    EXPECT_THROW(RowGroups(table, "tp,,schedule"), InputError);
}

TEST(RowGroups, RefuseAnAxisOfTooManyValues) {
    std::vector<double> many(RowGroups::most_groups + 1);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
    const results::Table table = test::small_results(many, many, many);
    RowGroups groups{table, "tp"};
    EXPECT_THROW(groups.each(table, [](const RowGroups::Values&, const results::Table&) {}), InputError);
}

}  // namespace
}  // namespace dse::app
