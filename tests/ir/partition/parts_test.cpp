#include "ir/partition/parts.hpp"

#include <string>

#include <gtest/gtest.h>

#include "dse/ir/program/program_error.hpp"
#include "ir/partition/sharded_program.hpp"
#include "ir/passes/program_copy.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;

// An array of 16 × 16 whose rows lie on data; some constants beside it.
struct Whole : ShardedProgram {
    ValueId x = argument({16, 16}, on({{data}, {}}));
    ValueId ones = operation(Opcode::constant, {}, {16, 16});
    ValueId same = operation(Opcode::constant, {}, {16, 16});
    ValueId sum = operation(Opcode::add, {x, x}, {16, 16});
};

struct Local {
    explicit Local(Whole& whole)
        : in{whole.program},
          origins(in.values.size()),
          slots{in},
          layouts{layouts_before(in, slots)},
          out{without_computations(in)},
          writer{builder, Language::mlir, in.meshes[0]},
          parts{in, origins, slots, layouts, builder, writer},
          main{builder.computation("main")} {
        origins[whole.ones.index()] = origins[whole.same.index()] = whole.ones;
        parts.set(whole.x, builder.argument(main, parts.local(whole.x)));
    }
    [[nodiscard]] std::size_t written() const { return out[main].operations.size(); }
    [[nodiscard]] const Sizes& sizes(ValueId value) const { return out.types[out.type_of(value)].sizes; }

    const Program& in;
    std::vector<std::optional<ValueId>> origins;
    Slots slots;
    std::vector<SlotLayout> layouts;
    Program out;
    ProgramBuilder builder{out};
    CollectiveWriter writer;
    Parts parts;
    ComputationId main;
};

TEST(Parts, LieAsTheProgramSays) {
    Whole whole;
    Local local{whole};
    EXPECT_EQ(local.sizes(local.parts[whole.x]), (Sizes{4, 16}));
    EXPECT_EQ(local.parts.fit(local.main, whole.x, {{{data}, {}}}, 1), local.parts[whole.x]);
    EXPECT_EQ(local.written(), 0U);
}

TEST(Parts, AreMovedOnce) {
    Whole whole;
    Local local{whole};
    const ValueId gathered = local.parts.fit(local.main, whole.x, {{{}, {}}}, 1);
    EXPECT_EQ(local.sizes(gathered), (Sizes{16, 16}));
    EXPECT_EQ(local.parts.fit(local.main, whole.x, {{{}, {}}}, 2), gathered);
    EXPECT_EQ(local.written(), 1U);
}

// By way of the whole array: it is gathered, and cut along its columns; who wants it whole finds it so.
TEST(Parts, AreMovedThroughStops) {
    Whole whole;
    Local local{whole};
    const ValueId moved = local.parts.fit(local.main, whole.x, {{{}, {}}}, {{}, {data}}, {}, 1);
    EXPECT_EQ(local.sizes(moved), (Sizes{16, 4}));
    EXPECT_EQ(local.written(), 2U);
    local.parts.fit(local.main, whole.x, {{{}, {}}}, 1);
    EXPECT_EQ(local.written(), 2U);
    EXPECT_EQ(local.parts.fit(local.main, whole.x, {{{}, {}}}, {{}, {data}}, {}, 1), moved);
}

// Who moves it among other devices does not find what all of them have moved.
TEST(Parts, AreMovedOnceByEachGroupOfDevices) {
    Whole whole;
    Local local{whole};
    const ValueId by_all = local.parts.fit(local.main, whole.x, {}, {{}, {}}, {}, 1);
    const ValueId by_some = local.parts.fit(local.main, whole.x, {}, {{}, {}}, {data}, 1);
    EXPECT_NE(by_all, by_some);
    EXPECT_EQ(local.parts.fit(local.main, whole.x, {}, {{}, {}}, {data}, 1), by_some);
    EXPECT_EQ(local.written(), 2U);
}

TEST(Parts, OfResultsAreSettledWhereTheyBelong) {
    Whole whole;
    Local local{whole};
    const Operation& sum = *whole.program.definition(whole.sum);
    const ValueId partial = local.builder.argument(local.main, local.parts.local(whole.sum, Layout{{}, {}}));
    local.layouts[local.slots.of(whole.sum).index()].dimensions = {{model}, {}};
    local.parts.set(whole.sum, partial);
    local.parts.settle(local.main, sum, 0, {{}, {}}, {model}, {}, Summing::scattered);
    EXPECT_EQ(local.sizes(local.parts[whole.sum]), (Sizes{8, 16}));
    const auto& operations = local.out[local.main].operations;
    ASSERT_EQ(operations.size(), 2U);
    EXPECT_EQ(operations[0].opcode, Opcode::all_reduce);
    EXPECT_EQ(operations[1].opcode, Opcode::dynamic_slice);
}

TEST(Parts, OfEqualConstantsThatLieAlikeAreOne) {
    Whole whole;
    Local local{whole};
    const Operation& ones = *whole.program.definition(whole.ones);
    const Operation& same = *whole.program.definition(whole.same);
    EXPECT_FALSE(local.parts.is_at_hand(local.main, ones));
    local.parts.set(whole.ones, local.builder.argument(local.main, local.parts.local(whole.ones)));
    local.parts.keep(local.main, ones);
    EXPECT_TRUE(local.parts.is_at_hand(local.main, same));
    EXPECT_EQ(local.parts[whole.same], local.parts[whole.ones]);
    local.layouts[local.slots.of(whole.same).index()].dimensions = {{data}, {}};
    EXPECT_FALSE(local.parts.is_at_hand(local.main, same));
    EXPECT_FALSE(local.parts.is_at_hand(local.main, *whole.program.definition(whole.sum)));
}

TEST(Parts, RefuseAnotherShape) {
    Whole whole;
    Local local{whole};
    EXPECT_FALSE(are_alike({{{data}, {}}}, {{{}}}));
    try {
        local.parts.fit(local.main, whole.x, {{{}}}, 7);
        FAIL() << "no error";
    } catch (const ProgramError& error) {
        EXPECT_EQ(error.line(), 7U);
    }
    try {
        not_partitioned(whole.program, *whole.program.definition(whole.sum));
    } catch (const ProgramError& error) {
        EXPECT_NE(std::string{error.what()}.find("'stablehlo.add' is not partitioned"), std::string::npos);
    }
}

}  // namespace
}  // namespace dse::ir::partition
