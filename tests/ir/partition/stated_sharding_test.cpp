#include "ir/partition/stated_sharding.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
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
    EXPECT_EQ(layouts[slots.of(x).index()].dimensions, Layout{{data}});
}

TEST(LayoutsBefore, RefuseWhatDoesNotFit) {
    ShardedProgram p;
    p.argument({16, 32}, p.on({{data}}));
    EXPECT_THROW(layouts_before(p.program, Slots{p.program}), ModelError);
}

TEST(LayoutsBefore, RefuseUnreducedAxes) {
    ShardedProgram p;
    Sharding sharding = ShardedProgram::sharding({{}});
    sharding.unreduced = {data};
    p.argument({16}, p.builder.sharding({sharding}));
    EXPECT_THROW(layouts_before(p.program, Slots{p.program}), ModelError);
}

TEST(MeshOf, IsTheOneThatShardingsName) {
    ShardedProgram p;
    p.program.meshes.insert(p.program.meshes.begin(), DeviceMesh{"other", {{"z", 3}}, {}});
    Sharding sharding = ShardedProgram::sharding({{data}});
    sharding.mesh = MeshId{1};
    p.argument({16}, p.builder.sharding({sharding}));
    EXPECT_EQ(mesh_of(p.program), MeshId{1});
    sharding.mesh = MeshId{0};
    p.argument({16}, p.builder.sharding({sharding}));
    EXPECT_THROW(mesh_of(p.program), ModelError);
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
