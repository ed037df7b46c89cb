#include "ir/partition/spreading.hpp"

#include <memory>
#include <utility>

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;

// Two arrays [m, n] and their element-wise result, with these layouts.
struct Addition {
    Relation relation;
    std::vector<SlotLayout> layouts;

    explicit Addition(std::vector<Layout> dimensions) {
        FactorRule rule;
        rule.add(16);
        rule.add(16);
        rule.operands = {{{0}, {1}}, {{0}, {1}}};
        rule.results = {{{0}, {1}}};
        relation.shared_rule = std::make_shared<const FactorRule>(std::move(rule));
        relation.passage = Passage::elementwise;
        for (std::size_t t = 0; t < 3; ++t) {
            relation.tensors.emplace_back(t);
            layouts.emplace_back();
            layouts.back().dimensions = std::move(dimensions[t]);
            layouts.back().open.assign(2, true);
        }
    }
    Projection projection() { return Projection{relation, {&layouts[0], &layouts[1], &layouts[2]}}; }
};

const std::vector<Direction> both(2, Direction::both);

TEST(SpreadAxes, TakesTheLongerOfWhatDoesNotContradict) {
    Addition addition{{{{data}, {}}, {{data, model}, {}}, {{}, {}}}};
    Projection projection = addition.projection();
    EXPECT_TRUE(spread_axes(projection, addition.relation, both));
    EXPECT_EQ(projection.layout(2), (Layout{{data, model}, {}}));
    EXPECT_EQ(projection.layout(0), (Layout{{data, model}, {}}));
    EXPECT_FALSE(spread_axes(projection, addition.relation, both));
}

// What one array cannot take does not keep it from the others.
TEST(SpreadAxes, PassesWhatIsClosed) {
    Addition addition{{{{data}, {}}, {{}, {}}, {{}, {}}}};
    addition.layouts[1].open[0] = false;
    Projection projection = addition.projection();
    EXPECT_TRUE(spread_axes(projection, addition.relation, both));
    EXPECT_EQ(projection.layout(2), (Layout{{data}, {}}));
    EXPECT_EQ(projection.layout(1), (Layout{{}, {}}));
}

TEST(SpreadAxes, GoesNoOtherWayThanItMay) {
    Addition addition{{{{}, {}}, {{}, {}}, {{data}, {}}}};
    Projection projection = addition.projection();
    EXPECT_FALSE(spread_axes(projection, addition.relation, std::vector(2, Direction::forward)));
    EXPECT_TRUE(spread_axes(projection, addition.relation, std::vector(2, Direction::backward)));
    EXPECT_EQ(projection.layout(0), (Layout{{data}, {}}));
}

// Both arrays are of one size: of an element-wise operation the factor with more parts wins.
TEST(SpreadAxes, GivesADisputedAxisToOneFactor) {
    Addition addition{{{{data}, {}}, {{}, {data, model}}, {{}, {}}}};
    Projection projection = addition.projection();
    EXPECT_TRUE(spread_axes(projection, addition.relation, both));
    EXPECT_EQ(projection.layout(2), (Layout{{}, {data, model}}));
    EXPECT_EQ(projection.layout(0), (Layout{{data}, {}}));
}

// The result must stay whole, so the other operand gains nothing from being cut.
TEST(SpreadAxes, GivesOperandsNoMoreThanResults) {
    Addition addition{{{{data}, {}}, {{}, {}}, {{}, {}}}};
    addition.layouts[2].open.assign(2, false);
    Projection projection = addition.projection();
    EXPECT_FALSE(spread_axes(projection, addition.relation, both));
    addition.relation.passage = Passage::other;
    Projection contraction = addition.projection();
    EXPECT_TRUE(spread_axes(contraction, addition.relation, both));
    EXPECT_EQ(contraction.layout(1), (Layout{{data}, {}}));
}

}  // namespace
}  // namespace dse::ir::partition
