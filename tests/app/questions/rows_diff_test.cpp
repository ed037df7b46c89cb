// Also tests: questions/row_key.cpp
#include "app/questions/rows_diff.hpp"

#include <gtest/gtest.h>

#include "app/questions/small_results.hpp"

namespace dse::app {
namespace {

using space::Status;

RowsDiff diff_of(const results::Table& a, const results::Table& b, double tolerance = 0.0) {
    RowsDiff diff{a, results::without_rows(b), tolerance};
    diff.add(b);
    return diff;
}

TEST(RowsDiff, MatchesRowsByTheirAxesInAnyOrder) {
    const RowsDiff diff = diff_of(test::small_results({1, 2, 4}, {4, 2, 1}, {1, 1, 1}),
                                  test::small_results({4, 2, 8}, {1, 2.5, 7}, {1, 1, 1}));
    EXPECT_EQ(diff.in_both(), 2U);
    EXPECT_EQ(diff.equal(), 1U);
    EXPECT_EQ(diff.only_a(), 1U);
    EXPECT_EQ(diff.only_b(), 1U);
    ASSERT_EQ(diff.metrics().size(), 1U);
    const MetricDifference found = diff.metrics().front();
    EXPECT_EQ(found.metric, "iteration_time");
    EXPECT_EQ(found.rows, 1U);
    EXPECT_DOUBLE_EQ(found.largest, 0.2) << "0.5 of 2.5";
    EXPECT_EQ(found.example, "tp=2 schedule=1f1b network.bandwidth=50 GB/s");
    EXPECT_EQ(found.a, 2.0);
    EXPECT_EQ(found.b, 2.5);
}

TEST(RowsDiff, TakesNumbersWithinTheToleranceForEqual) {
    const auto a = test::small_results({1}, {100}, {1});
    const auto b = test::small_results({1}, {101}, {1});
    EXPECT_EQ(diff_of(a, b, 0.02).equal(), 1U);
    EXPECT_EQ(diff_of(a, b, 0.001).equal(), 0U);
}

TEST(RowsDiff, CountsWhatEndedDifferently) {
    const auto a = test::small_results({1, 2}, {1, 1}, {1, 1});
    auto b = a;
    b.status[1] = Status::out_of_memory;
    b.reason[1] = "needs 90 GiB";
    const RowsDiff diff = diff_of(a, b);
    const StatusDifference& found = diff.statuses().at({Status::ok, Status::out_of_memory});
    EXPECT_EQ(found.rows, 1U);
    EXPECT_EQ(found.reason, "needs 90 GiB");
    EXPECT_TRUE(diff.metrics().empty()) << "no number of an unfinished row is compared";
}

TEST(RowsDiff, FindsAnAxisThatTheOtherFileHasFixed) {
    const auto a = test::small_results({1, 2}, {1, 1}, {1, 1});
    auto b = test::small_results({2}, {1}, {1});
    b.schema.points.erase(b.schema.points.begin());
    b.points.erase(b.points.begin());
    b.schema.sweep.facts.emplace_back("tp", "2");
    EXPECT_EQ(diff_of(a, b).equal(), 1U);
    EXPECT_EQ(diff_of(a, b).only_a(), 1U);
    b.schema.sweep.facts.pop_back();
    const RowsDiff diff = diff_of(a, b);
    EXPECT_EQ(diff.left_out(), std::vector<std::string>{"tp"});
    EXPECT_EQ(diff.repeated(), 1U) << "tp 1 and tp 2 are one row without tp";
}

}  // namespace
}  // namespace dse::app
