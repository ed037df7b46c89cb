#include "dse/results/table.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

Table two_rows() {
    Table table;
    table.schema = sample_schema();
    table.point_id = {0, 1};
    table.status = {space::Status::ok, space::Status::out_of_memory};
    table.points.assign(table.schema.points.size(), {1.0, 2.0});
    table.metrics.assign(table.schema.metrics.size(), {3.0, 4.0});
    return table;
}

TEST(Table, FindsColumnsByName) {
    const Table table = two_rows();
    EXPECT_EQ(table.metric("energy")[1], 4.0);
    EXPECT_EQ(table.point_value("dp")[1], 2.0);
    EXPECT_THROW((void)table.metric("dp"), InputError);
    try {
        (void)table.point_value("schedul");
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("'schedule'"));
    }
}

TEST(Table, GivesCostsOfRowsWithAnAnswerOnly) {
    const auto table = costs(two_rows(), metrics::parse_objectives("iteration_time, mfu: maximize"));
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[0][0], 3.0);
    EXPECT_EQ(table[0][1], -3.0);
    EXPECT_TRUE(std::isnan(table[1][0]));
}

}  // namespace
}  // namespace dse::results::test
