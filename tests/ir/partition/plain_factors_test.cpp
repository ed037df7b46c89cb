#include "ir/partition/plain_factors.hpp"

#include <gtest/gtest.h>

#include "ir/written_program.hpp"
#include "support/factor_rule_text.hpp"

namespace dse::ir::partition {
namespace {

using dse::test::text;
using test::WrittenProgram;

TEST(ElementwiseRule, AllArraysOfItsRankLieAlike) {
    WrittenProgram p;
    const ValueId sum =
        p.operation(Opcode::select, {p.argument({}), p.argument({4, 8}), p.argument({4, 8})}, {4, 8});
    EXPECT_EQ(text(*elementwise_rule({p.program, *p.program.definition(sum)})),
              "([], [i, j], [i, j])->([i, j]) {i=4, j=8}");
    const ValueId nothing = p.operation(Opcode::elementwise, {}, {4});
    EXPECT_FALSE(elementwise_rule({p.program, *p.program.definition(nothing)}).has_value());
}

TEST(MadeRule, EachDeviceMakesItsPart) {
    WrittenProgram p;
    const ValueId numbers = p.operation(Opcode::rng, {p.argument({}), p.argument({})}, {4, 8});
    EXPECT_EQ(text(*made_rule({p.program, *p.program.definition(numbers)})), "([], [])->([i, j]) {i=4, j=8}");
}

TEST(GeneratorRule, TheStateLiesWhole) {
    WrittenProgram p;
    const std::vector<TypeId> results{p.array({2}), p.array({4, 8})};
    const std::vector<ValueId> operands{p.argument({2})};
    const ValueId state = Program::result(p.builder.append(
        p.main, {.opcode = Opcode::rng_bit_generator, .operands = operands, .results = results}));
    const auto rule = generator_rule({p.program, *p.program.definition(state)});
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->factors[0].kind, FactorRule::Kind::whole);
    EXPECT_TRUE(rule->factors[0].blocked);
    EXPECT_EQ(rule->operands[0], rule->results[0]);
    EXPECT_EQ(rule->factors[1].kind, FactorRule::Kind::parallel);
    const ValueId other = p.operation(Opcode::rng_bit_generator, {p.argument({2})}, {4, 8});
    EXPECT_FALSE(generator_rule({p.program, *p.program.definition(other)}).has_value());
}

TEST(DeviceNumberRule, HasNoFactors) {
    WrittenProgram p;
    const ValueId number = p.operation(Opcode::partition_id, {}, {});
    EXPECT_TRUE(device_number_rule({p.program, *p.program.definition(number)})->factors.empty());
}

}  // namespace
}  // namespace dse::ir::partition
