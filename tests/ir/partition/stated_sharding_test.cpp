#include "ir/partition/stated_sharding.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/ir/program/program_error.hpp"
#include "ir/partition/sharded_program.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

TEST(LayoutsBefore, AreWhatIsStatedAndElseOpen) {
    ShardedProgram p;
    const ValueId x = p.argument({16, 32}, p.on({{data}, {}}));
    const ValueId y = p.operation(Opcode::negate, {x}, {16, 32});
    const Slots slots{p.program};
    const auto layouts = layouts_before(p.program, slots);
    const SlotLayout& stated = layouts[slots.of(x).index()];
    EXPECT_TRUE(stated.stated);
    EXPECT_EQ(stated.dimensions, (Layout{{data}, {}}));
    EXPECT_FALSE(stated.open[1]);
    const SlotLayout& open = layouts[slots.of(y).index()];
    EXPECT_FALSE(open.stated);
    EXPECT_TRUE(open.open[0]);
}

TEST(LayoutsBefore, TakeConstraintsAndResultsOfTheEntry) {
    ShardedProgram p;
    const ValueId x = p.argument({16});
    const ValueId constrained =
        p.operation(Opcode::sharding_constraint, {x}, {16}, Resharding{ShardedProgram::sharding({{model}})});
    p.returns({x});
    p.program.computations[p.main.index()].result_shardings = {p.on({{data}})};
    const Slots slots{p.program};
    const auto layouts = layouts_before(p.program, slots);
    EXPECT_EQ(layouts[slots.of(constrained).index()].dimensions, Layout{{model}});
    EXPECT_EQ(layouts[slots.of(x).index()].dimensions, Layout{{model}});
    EXPECT_EQ(layouts[slots.returned(0).index()].dimensions, Layout{{data}});
}

// What is constrained in two ways, or leaves something open, lies as propagation finds it.
TEST(LayoutsBefore, BindWhatIsConstrainedInOneWayOnly) {
    ShardedProgram p;
    const auto constrain = [&](ValueId value, Sharding sharding) {
        return p.operation(Opcode::sharding_constraint, {value}, {16}, Resharding{std::move(sharding)});
    };
    const ValueId twice = p.argument({16});
    constrain(twice, ShardedProgram::sharding({{model}}));
    constrain(twice, ShardedProgram::sharding({{data}}));
    const ValueId half = p.argument({16});
    Sharding sharding = ShardedProgram::sharding({{model}});
    sharding.dimensions[0].open = true;
    constrain(half, sharding);
    const Slots slots{p.program};
    const auto layouts = layouts_before(p.program, slots);
    EXPECT_FALSE(layouts[slots.of(twice).index()].stated);
    EXPECT_FALSE(layouts[slots.of(half).index()].stated);
}

// A token's sharding stands among those of a tuple's leaves and says nothing of them.
TEST(LayoutsBefore, CountTokensAmongATuplesShardings) {
    ShardedProgram p;
    Type token;
    token.kind = Type::Kind::token;
    Type pair;
    pair.kind = Type::Kind::tuple;
    pair.members = {p.program.types.add(token), p.array({16})};
    Sharding on_one_device;
    on_one_device.kind = Sharding::Kind::maximal;
    const ShardingId sharding = p.builder.sharding({on_one_device, ShardedProgram::sharding({{data}})});
    const ValueId both = p.builder.argument(p.main, p.program.types.add(pair), sharding);
    const Slots slots{p.program};
    const auto layouts = layouts_before(p.program, slots);
    EXPECT_EQ(layouts[slots.of(both, 1).index()].dimensions, Layout{{data}});
}

TEST(LayoutsBefore, RefuseWhatDoesNotFit) {
    ShardedProgram p;
    const ValueId x = p.operation(Opcode::negate, {p.argument({16, 32})}, {16, 32});
    p.program.values[x.index()].sharding = p.on({{data}});
    try {
        layouts_before(p.program, Slots{p.program});
        FAIL() << "no error";
    } catch (const ProgramError& error) {
        EXPECT_EQ(error.line(), 2U);
        EXPECT_EQ(error.reason(), "a sharding of 1 dimensions belongs to an array of 2 dimensions");
    }
}

TEST(LayoutsBefore, RefuseUnreducedAxes) {
    ShardedProgram p;
    Sharding sharding = ShardedProgram::sharding({{}});
    sharding.unreduced = {data};
    p.argument({16}, p.builder.sharding({sharding}));
    EXPECT_THROW(layouts_before(p.program, Slots{p.program}), ProgramError);
}

TEST(StatedLayout, HasTheRankOfItsArray) {
    Type type;
    type.sizes = {16, 32};
    EXPECT_EQ(stated_layout(type, ShardedProgram::sharding({{data}, {}}), 1), (Layout{{data}, {}}));
    EXPECT_EQ(stated_layout(type, {}, 1), (Layout{{}, {}}));
    EXPECT_THROW(stated_layout(type, ShardedProgram::sharding({{}, {}, {data}}), 1), ProgramError);
}

TEST(IsShardingCall, IsAConstraintOfGspmdOrOfAResult) {
    ShardedProgram p;
    const ValueId x = p.argument({16});
    const auto call = [&](std::string_view target) {
        return p.operation(Opcode::custom_call, {x}, {16}, ForeignCall{p.builder.name(target), no_name});
    };
    const ValueId constraint = call("Sharding");
    const ValueId other = call("TopK");
    const ValueId result = call("xla.sdy.FuncResultSharding");
    EXPECT_TRUE(is_sharding_call(p.program, *p.program.definition(constraint)));
    EXPECT_TRUE(is_sharding_call(p.program, *p.program.definition(result)));
    EXPECT_FALSE(is_sharding_call(p.program, *p.program.definition(other)));
}

}  // namespace
}  // namespace dse::ir::partition
