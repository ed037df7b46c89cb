#include "app/questions/standing.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/questions/small_results.hpp"
#include "dse/results/front_rows.hpp"

namespace dse::app {
namespace {

using testing::HasSubstr;

/// Points (s, B): tp 1 (4, 1), tp 2 (2, 2), tp 4 (1, 4) are the front; tp 8 (3, 3) and tp 16 (4, 4) are not.
const results::Table& rows() {
    static const results::Table table =
        test::small_results({1, 2, 4, 8, 16}, {4, 2, 1, 3, 4}, {1, 2, 4, 3, 4});
    return table;
}

Standing standing_of(std::size_t row) {
    results::FrontRows front{results::without_rows(rows()), rows().schema.sweep.objectives};
    front.add(rows());
    results::Table marked = results::without_rows(rows());
    marked.append(rows(), row);
    Standing standing{marked, front.rows(), rows().schema.sweep.objectives};
    standing.add(rows());
    return standing;
}

TEST(Standing, OfAPointBehindTheFront) {
    const Json json = standing_of(3).json();
    EXPECT_FALSE(json["on_front"].get<bool>());
    EXPECT_EQ(json["dominated_by"], 1)
        << "(2, 2) alone is better than (3, 3) in one and no worse in the other";
    EXPECT_EQ(json["rank"]["iteration_time"]["rank"], 3) << "behind 1 s and 2 s";
    EXPECT_EQ(json["rank"]["iteration_time"]["of"], 5);
    EXPECT_EQ(json["rank"]["memory_peak"]["rank"], 3);
    // (3, 3) / 1.5 is (2, 2).
    EXPECT_DOUBLE_EQ(json["distance"].get<double>(), 0.5);
    EXPECT_EQ(json["alone"]["iteration_time"], 2.0);
    EXPECT_EQ(json["alone"]["memory_peak"], 2.0);
    EXPECT_EQ(json["better"]["changes"]["tp"]["from"], 8);
    EXPECT_EQ(json["better"]["changes"]["tp"]["to"], 2);
    EXPECT_EQ(json["front"]["row"]["point_id"], 1);
    EXPECT_THAT(standing_of(3).text(), HasSubstr("tp 8 → 2: iteration_time -33.3 %, memory_peak -33.3 %"));
}

TEST(Standing, OfAPointOnTheFront) {
    const Standing standing = standing_of(1);
    EXPECT_EQ(standing.distance(), 0.0);
    EXPECT_TRUE(standing.json()["on_front"].get<bool>());
    EXPECT_TRUE(standing.json()["better"].is_null());
    EXPECT_THAT(standing.text(), HasSubstr("on the front"));
}

TEST(Standing, PrefersTheFewestChanges) {
    results::Table table = rows();
    table.points[1][1] = 0.0;  // (2, 2) has another schedule besides
    results::FrontRows front{results::without_rows(table), table.schema.sweep.objectives};
    front.add(table);
    results::Table marked = results::without_rows(table);
    marked.append(table, 4);
    Standing standing{marked, front.rows(), table.schema.sweep.objectives};
    standing.add(table);
    const Json json = standing.json();
    // (4, 4) is dominated by all others; one change suffices, and the quickest of those is tp 4 with 1 s.
    EXPECT_EQ(json["dominated_by"], 4);
    EXPECT_EQ(json["better"]["row"]["point_id"], 2);
    EXPECT_EQ(json["better"]["changes"].size(), 1U);
}

TEST(Standing, OfAPointWithoutAnAnswerHasNoPlace) {
    results::Table marked = results::without_rows(rows());
    marked.append(rows(), 0);
    marked.status[0] = space::Status::failed;
    const Standing standing{marked, results::without_rows(rows()), rows().schema.sweep.objectives};
    EXPECT_FALSE(standing.answered());
    EXPECT_FALSE(standing.json().contains("rank"));
}

TEST(Standing, HasNoDistanceThroughZero) {
    const results::Table table = test::small_results({1, 2}, {0, 1}, {0, 1});
    results::FrontRows front{results::without_rows(table), table.schema.sweep.objectives};
    front.add(table);
    results::Table marked = results::without_rows(table);
    marked.append(table, 1);
    EXPECT_TRUE(std::isnan(Standing(marked, front.rows(), table.schema.sweep.objectives).distance()));
}

}  // namespace
}  // namespace dse::app
