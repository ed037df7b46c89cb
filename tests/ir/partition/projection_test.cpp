#include "ir/partition/projection.hpp"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;

// A reshape of [n] to [a, b]: one dimension that is the product of two factors.
Relation product_of(std::int64_t a, std::int64_t b) {
    FactorRule rule;
    rule.add(a);
    rule.add(b);
    rule.operands = {{{0, 1}}};
    rule.results = {{{0}, {1}}};
    Relation relation;
    relation.shared_rule = std::make_shared<const FactorRule>(std::move(rule));
    relation.tensors = {SlotId{0}, SlotId{1}};
    return relation;
}

SlotLayout open_at(Layout dimensions) {
    SlotLayout layout;
    layout.open.assign(dimensions.size(), true);
    layout.dimensions = std::move(dimensions);
    return layout;
}

// 4 devices on 2 × 8: the first factor takes data's first two, the second the rest.
TEST(Projection, FillsFactorsFromMajorToMinor) {
    const Relation relation = product_of(2, 8);
    const SlotLayout from = open_at({{data}});
    const SlotLayout to = open_at({{}, {}});
    const Projection projection{relation, {&from, &to}};
    EXPECT_EQ(projection.arrays()[0].factors[0].axes, Axes({{0, 1, 2}}));
    EXPECT_EQ(projection.arrays()[0].factors[1].axes, Axes({{0, 2, 2}}));
    EXPECT_TRUE(projection.arrays()[0].factors[1].minor_most);
    EXPECT_EQ(projection.layout(0), from.dimensions);
}

// 4 devices on 3 × 8: nothing of data divides 3, so it cannot go on behind it.
TEST(Projection, KeepsWhatFitsNoFactorAsOverflow) {
    const Relation relation = product_of(3, 8);
    const SlotLayout from = open_at({{data}});
    const SlotLayout to = open_at({{}, {}});
    const Projection projection{relation, {&from, &to}};
    EXPECT_TRUE(projection.arrays()[0].factors[0].axes.empty());
    EXPECT_EQ(projection.arrays()[0].factors[0].overflow, Axes{data});
    EXPECT_TRUE(projection.arrays()[0].factors[1].closed);
    EXPECT_EQ(projection.layout(0), from.dimensions);
}

TEST(Projection, ExtendsOnlyWhatGoesOn) {
    const Relation relation = product_of(4, 8);
    const SlotLayout from = open_at({{}});
    const SlotLayout to = open_at({{data}, {}});
    Projection projection{relation, {&from, &to}};
    EXPECT_FALSE(projection.extend(1, 0, {model}));
    EXPECT_TRUE(projection.extend(0, 0, {data}));
    EXPECT_FALSE(projection.extend(0, 0, {data}));
    EXPECT_EQ(projection.layout(0), Layout{{data}});
}

TEST(LayoutOf, StopsBehindAFactorThatIsNotFilled) {
    FactorRule rule;
    rule.add(8);
    rule.add(6);
    EXPECT_EQ(layout_of(rule, {{0, 1}}, {{data}, {model}}), Layout{{data}});
    EXPECT_EQ(layout_of(rule, {{0}, {1}}, {{data}, {model}}), (Layout{{data}, {model}}));
}

// Four devices on 2 x 8 agree with the parts that the factors have; with anything less they do not.
TEST(Projection, AgreesIfArraysHaveTheSameAxesByFactor) {
    const Relation relation = product_of(2, 8);
    const SlotLayout joined = open_at({{data}});
    const SlotLayout parts = open_at({{{0, 1, 2}}, {{0, 2, 2}}});
    const SlotLayout first = open_at({{{0, 1, 2}}, {}});
    EXPECT_TRUE((Projection{relation, {&joined, &parts}}.agrees()));
    EXPECT_FALSE((Projection{relation, {&joined, &first}}.agrees()));
}

}  // namespace
}  // namespace dse::ir::partition
