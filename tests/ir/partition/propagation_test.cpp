#include "ir/partition/propagation.hpp"

#include <gtest/gtest.h>

#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

struct Spread : ShardedProgram {
    // The layout of a value after propagation.
    Layout layout(ValueId value) {
        const Slots slots{program};
        auto layouts = layouts_before(program, slots);
        propagate(relations(program, slots), slots, layouts);
        return layouts[slots.of(value).index()].dimensions;
    }
};

TEST(Propagate, GoesForwardsAndBackwards) {
    Spread s;
    const ValueId a = s.argument({16, 32});
    const ValueId b = s.operation(Opcode::negate, {a}, {16, 32});
    const ValueId c = s.operation(Opcode::sharding_constraint, {b}, {16, 32},
                                  Resharding{ShardedProgram::sharding({{data}, {}})});
    const ValueId d = s.operation(Opcode::tanh, {c}, {16, 32});
    EXPECT_EQ(s.layout(a), (Layout{{data}, {}}));
    EXPECT_EQ(s.layout(d), (Layout{{data}, {}}));
}

TEST(Propagate, FollowsTheFactorsOfAProduct) {
    Spread s;
    const ValueId x = s.argument({16, 32}, s.on({{data}, {}}));
    const ValueId w = s.argument({32, 64}, s.on({{}, {model}}));
    EXPECT_EQ(s.layout(s.product(x, w)), (Layout{{data}, {model}}));
}

TEST(Propagate, GivesADisputedAxisToTheLargerArray) {
    Spread s;
    const ValueId x = s.argument({1024, 32}, s.on({{data}, {}}));
    const ValueId w = s.argument({32, 64}, s.on({{}, {data}}));
    EXPECT_EQ(s.layout(s.product(x, w)), (Layout{{data}, {}}));
}

TEST(Propagate, LeavesClosedDimensionsAlone) {
    Spread s;
    const ValueId x = s.argument({16}, s.on({{data}}));
    const ValueId y = s.argument({16}, s.on({{}}));
    s.operation(Opcode::add, {x, y}, {16});
    EXPECT_EQ(s.layout(y), Layout{{}});
}

TEST(Propagate, SpreadsNothingThatDoesNotDivide) {
    Spread s;
    const ValueId x = s.argument({10}, s.on({{data}}));
    EXPECT_EQ(s.layout(s.operation(Opcode::negate, {x}, {10})), Layout{{}});
}

TEST(Propagate, SplitsADimensionThatIsReshaped) {
    Spread s;
    // 16 = 2 × 8: data's 4 fills the 2 and half of what is left over, so only its first factor goes on.
    const ValueId x = s.argument({16}, s.on({{data}}));
    EXPECT_EQ(s.layout(s.operation(Opcode::reshape, {x}, {2, 8})), (Layout{{{0, 1, 2}}, {{0, 2, 2}}}));
}

// A norm's weight, sharded as parameters are, meets activations that lie on the same axis by their rows.
TEST(Propagate, LetsWhatIsRepeatedFollowWhatItMeets) {
    Spread s;
    const ValueId w = s.argument({32}, s.on({{data}}));
    const ValueId repeated = s.operation(Opcode::broadcast, {w}, {16, 32}, Dimensions{{1}});
    const ValueId x = s.argument({16, 64}, s.on({{data}, {}}));
    const ValueId h = s.product(x, s.argument({64, 32}));
    s.operation(Opcode::multiply, {h, repeated}, {16, 32});
    EXPECT_EQ(s.layout(repeated), (Layout{{data}, {}}));
}

TEST(LayoutOf, StopsBehindAFactorThatIsNotFilled) {
    FactorRule rule;
    rule.add(8);
    rule.add(6);
    EXPECT_EQ(layout_of(rule, {{0, 1}}, {{data}, {model}}), Layout{{data}});
    EXPECT_EQ(layout_of(rule, {{0}, {1}}, {{data}, {model}}), (Layout{{data}, {model}}));
}

}  // namespace
}  // namespace dse::ir::partition
