#include "app/search_progress.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace dse::app {
namespace {

const std::vector<metrics::Objective> two{{"iteration_time"}, {"energy", metrics::Direction::maximize}};

/// Rows of (time, energy); NaN for a row without an answer.
results::Table table_of(const std::vector<std::pair<double, double>>& rows, const std::string& method) {
    results::Table table;
    table.schema.sweep.facts = {{"search.method", method}};
    if (method == "nsga2") table.schema.sweep.facts.emplace_back("search.then.0", "refine");
    table.schema.sweep.objectives = {{"iteration_time"}, {"cost"}, {"energy", metrics::Direction::maximize}};
    table.metrics.resize(table.schema.metrics.size());
    for (const auto& [time, energy] : rows) {
        table.point_id.push_back(table.rows());
        table.status.push_back(std::isnan(time) ? space::Status::out_of_memory : space::Status::ok);
        for (std::size_t m = 0; m < table.metrics.size(); ++m) {
            const std::string& name = table.schema.metrics[m].name;
            table.metrics[m].push_back(name == "iteration_time" ? time : name == "energy" ? energy : NAN);
        }
    }
    return table;
}

std::optional<SearchProgress> search_progress(const results::Table& table,
                                              const std::vector<metrics::Objective>& answered) {
    results::Table columns = table;
    columns.clear();
    SearchCourse course{columns};
    course.add(table, table.status);
    return course.progress(answered);
}

TEST(SearchProgress, SaysAfterHowManyPointsASearchHadItsFront) {
    // Up to log 11 of time and −0.9 of the negative energy: log(11 / 10) · 4.1 = 0.4 after the second row,
    // log 11 · 4.1 = 9.8 after the fourth, log 11 · 5.1 = 12.2 at the end, of which 9.8 are 80 %.
    const auto table = table_of({{NAN, NAN}, {10, 5}, {10, 1}, {1, 5}, {2, 4}, {1, 6}, {3, 3}}, "nsga2");
    const auto progress = search_progress(table, two);
    ASSERT_TRUE(progress);
    EXPECT_EQ(progress->method, "nsga2, refine");
    std::vector<std::uint64_t> points;
    for (const SearchProgress::Mark& mark : progress->marks) points.push_back(mark.points);
    EXPECT_EQ(points, (std::vector<std::uint64_t>{4, 6, 6, 6}));
    EXPECT_EQ(
        to_text(*progress, 7),
        "Search nsga2, refine: 50 % of its hypervolume after 4 points, 90 % after 6, 99 % after 6, 100 % "
        "after 6 of 7\n");
    EXPECT_EQ(to_json(*progress)["rows"][0]["points"], 4);
}

TEST(SearchProgress, IsNoneOfAGridOrWithoutAnAnswer) {
    EXPECT_FALSE(search_progress(table_of({{1, 1}}, "grid"), two));
    EXPECT_FALSE(search_progress(table_of({{NAN, NAN}}, "nsga2"), two));
    EXPECT_FALSE(search_progress(table_of({{1, 1}}, "nsga2"), {}));
}

}  // namespace
}  // namespace dse::app
