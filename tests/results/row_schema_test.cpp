#include "dse/results/row_schema.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/space/space_text.hpp"
#include "space/tiny_sweep.hpp"

namespace dse::results {
namespace {

TEST(RowSchema, HasAColumnForEveryAxisAndDerivedValue) {
    const auto space = space::parse_space(
        "name: small\naxes: {x: [0.5, 2.5], kind: [a, b]}\nderive: {y: 2 * x}\nsearch: {method: random, "
        "budget: 3, seed: 9}\n");
    const auto schema = row_schema(*space, metrics::parse_objectives("energy"));
    EXPECT_EQ(schema.sweep.name, "small");
    EXPECT_EQ(schema.sweep.seed, 9U);
    EXPECT_EQ(schema.sweep.objectives.at(0).metric, "energy");
    ASSERT_EQ(schema.points.size(), 3U);
    EXPECT_EQ(schema.points[0].name, "x");
    EXPECT_EQ(schema.points[0].kind, results::ColumnKind::real);
    EXPECT_EQ(schema.points[0].role, results::ColumnRole::axis);
    EXPECT_EQ(schema.points[1].kind, results::ColumnKind::label);
    EXPECT_EQ(schema.points[1].labels, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(schema.points[2].name, "y");
    EXPECT_EQ(schema.points[2].role, results::ColumnRole::derived);
    EXPECT_NO_THROW(validate(schema));
}

TEST(RowSchema, ShowsQuantitiesAsTheSweepWritesThem) {
    const auto space = space::testing::compile(
        "axes: {outer.bandwidth: [200 Gbps, 400 Gbps]}\nderive: {inner.bandwidth: 9 * outer.bandwidth}\n");
    ASSERT_TRUE(space);
    const std::vector<Column> columns = point_columns(*space);
    EXPECT_EQ(columns[0].shown_unit, "Gbps");
    EXPECT_EQ(columns[1].shown_unit, "Gbps");
}

TEST(RowSchema, RefusesAxesThatAreCalledAsAMetric) {
    EXPECT_THROW(row_schema(*space::parse_space("name: s\naxes: {mfu: [1, 2]}\n"), {}), InputError);
    EXPECT_THROW(row_schema(*space::parse_space("name: s\naxes: {x: [1, 2]}\nderive: {energy: 2 * x}\n"), {}),
                 InputError);
}

TEST(RowSchema, IsAnotherOneForAnotherSpace) {
    const auto one = row_schema(*space::parse_space("name: s\naxes: {x: [1, 2]}\n"), {});
    const auto same = row_schema(*space::parse_space("name: s\naxes: {x: [1, 2]}\n"), {});
    const auto other = row_schema(*space::parse_space("name: s\naxes: {x: [1, 3]}\n"), {});
    EXPECT_TRUE(results::differences(one, same).empty());
    EXPECT_FALSE(results::differences(one, other).empty());
}

}  // namespace
}  // namespace dse::results
