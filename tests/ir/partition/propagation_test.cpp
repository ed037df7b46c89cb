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
        propagate(relations(program, slots), layouts);
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

// The first product's axis is disputed (samples, or what is summed) and so must not be left for later: the
// second product's weight would take it meanwhile. jax 0.10.2 says P('data') of it.
TEST(Propagate, DecidesWhatIsDisputedBeforeItGoesOn) {
    Spread s;
    const ValueId x = s.argument({1024, 512}, s.on({{data}, {}}));
    const ValueId w1 = s.argument({512, 2048}, s.on({{data}, {}}));
    const ValueId w2 = s.argument({2048, 512}, s.on({{}, {data}}));
    const ValueId hidden = s.product(x, w1);
    const ValueId y = s.product(hidden, w2);
    EXPECT_EQ(s.layout(hidden), (Layout{{data}, {}}));
    EXPECT_EQ(s.layout(y), (Layout{{data}, {}}));
}

TEST(Propagate, LeavesClosedDimensionsAlone) {
    Spread s;
    const ValueId x = s.argument({16}, s.on({{data}}));
    const ValueId y = s.argument({16}, s.on({{}}));
    s.operation(Opcode::add, {x, y}, {16});
    EXPECT_EQ(s.layout(y), Layout{{}});
}

// Parts of the last factor of a dimension are padded: 10 elements on 4 devices are 3, 3, 3 and 1.
TEST(Propagate, SpreadsWhatDoesNotDivideToo) {
    Spread s;
    const ValueId x = s.argument({10}, s.on({{data}}));
    EXPECT_EQ(s.layout(s.operation(Opcode::negate, {x}, {10})), Layout{{data}});
}

TEST(Propagate, SplitsADimensionThatIsReshaped) {
    Spread s;
    // 16 = 2 × 8: data's 4 fills the 2 and half of what is left over, so only its first factor goes on.
    const ValueId x = s.argument({16}, s.on({{data}}));
    EXPECT_EQ(s.layout(s.operation(Opcode::reshape, {x}, {2, 8})), (Layout{{{0, 1, 2}}, {{0, 2, 2}}}));
}

// Of two shardings that contradict each other the one of the higher priority goes first, whatever its size.
TEST(Propagate, FollowsTheUsersPriorities) {
    Spread s;
    Sharding late = ShardedProgram::sharding({{data}, {}});
    late.dimensions[0].priority = 1;
    const ValueId x = s.argument({16, 32}, s.builder.sharding({late}));
    const ValueId y = s.argument({16, 32});
    const ValueId sum = s.operation(Opcode::add, {x, y}, {16, 32});
    s.program.values[sum.index()].sharding = s.on({{model}, {}});
    EXPECT_EQ(s.layout(y), (Layout{{model}, {}}));
    EXPECT_EQ(s.layout(x), (Layout{{data}, {}}));
}

TEST(Propagate, PassesABarrierOnlyWhereItMay) {
    Spread s;
    const ValueId x = s.argument({16});
    const ValueId y = s.operation(Opcode::propagation_barrier, {x}, {16}, Barrier{true, false});
    s.program.values[y.index()].sharding = s.builder.sharding({[] {
        Sharding open = ShardedProgram::sharding({{data}});
        open.dimensions[0].open = true;
        return open;
    }()});
    EXPECT_EQ(s.layout(x), Layout{{}});
    const ValueId z = s.argument({16}, s.on({{model}}));
    EXPECT_EQ(s.layout(s.operation(Opcode::propagation_barrier, {z}, {16}, Barrier{true, false})),
              Layout{{model}});
}

// What the entry is to return is met before anything else; a value that lies elsewhere already is moved.
TEST(Propagate, MeetsTheEntrysResultsFirst) {
    Spread s;
    const ValueId x = s.argument({16}, s.on({{data}}));
    const ValueId y = s.operation(Opcode::negate, {x}, {16});
    s.returns({x, y});
    s.program.computations[s.main.index()].result_shardings = {s.on({{model}}), s.on({{model}})};
    EXPECT_EQ(s.layout(x), Layout{{data}});
    EXPECT_EQ(s.layout(y), Layout{{model}});
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

}  // namespace
}  // namespace dse::ir::partition
