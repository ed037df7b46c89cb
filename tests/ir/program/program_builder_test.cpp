#include "dse/ir/program/program_builder.hpp"

#include <array>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir {
namespace {

// y = x + x, of bf16[4].
struct Doubling {
    Program program;
    ProgramBuilder builder{program};
    ComputationId main{builder.computation("main", 1)};
    ValueId x;
    ValueId y;

    Doubling() {
        Type type;
        type.element = ElementType::bf16;
        type.sizes = {4};
        const std::array types{program.types.add(type)};
        x = builder.argument(main, types[0]);
        const std::array operands{x, x};
        y = builder.value(main, {.opcode = Opcode::add,
                                 .name = builder.name("stablehlo.add"),
                                 .operands = operands,
                                 .results = types,
                                 .line = 2});
        builder.results(main, std::array{y});
        program.entry = main;
    }
};

TEST(ProgramBuilder, KnowsWhoDefinesAValue) {
    const Doubling doubling;
    validate(doubling.program);
    EXPECT_EQ(doubling.program.definition(doubling.x), nullptr);
    const Operation* sum = doubling.program.definition(doubling.y);
    ASSERT_NE(sum, nullptr);
    EXPECT_EQ(sum->opcode, Opcode::add);
    EXPECT_EQ(doubling.program.text(sum->name), "stablehlo.add");
    EXPECT_EQ(doubling.program.operands(*sum)[1], doubling.x);
    EXPECT_EQ(doubling.program.types.text(doubling.program.type_of(doubling.y)), "bf16[4]");
}

TEST(ProgramBuilder, KeepsAttributesOfTheirKind) {
    Doubling doubling;
    const AttributeId attribute = doubling.builder.attribute(Dimensions{{1, 0}});
    Operation& added = doubling.builder.append(
        doubling.main,
        {.opcode = Opcode::transpose, .name = doubling.builder.name("transpose"), .attribute = attribute});
    EXPECT_EQ(doubling.program.attribute_if<Dimensions>(added)->numbers, (Sizes{1, 0}));
    EXPECT_EQ(doubling.program.attribute_if<Loop>(added), nullptr);
    EXPECT_EQ(doubling.builder.attribute(std::monostate{}), no_attribute);
}

TEST(ProgramBuilder, ItsProgramsAreChecked) {
    Doubling doubling;
    doubling.program.entry = ComputationId{7};
    EXPECT_THROW(validate(doubling.program), ContractViolation);
}

}  // namespace
}  // namespace dse::ir
