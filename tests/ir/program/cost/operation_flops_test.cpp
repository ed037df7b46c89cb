// Also tests: program/cost/counted.cpp, program/cost/element_flops.cpp

#include "ir/program/cost/operation_flops.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/opcode_traits.hpp"
#include "ir/program/cost/flop_count.hpp"

namespace dse::ir::test {
namespace {

const Sizes matrix{64, 8};

TEST(OperationFlops, OneAnElementOfTheResult) {
    EXPECT_EQ(flop_count(Opcode::add, {matrix, matrix}, matrix).flops, 512);
    EXPECT_EQ(flop_count(Opcode::convert, {matrix}, matrix).flops, 512);
    EXPECT_EQ(flop_count(Opcode::add, {matrix, matrix}, matrix).transcendentals, 0);
}

// Source: XLA's HloCostAnalysis, which counts reading a number's bits as another type, but no copy and no
// bitcast.
TEST(OperationFlops, ABitcastConvertCountsAsTheElementwiseOperationThatItIsToXla) {
    EXPECT_EQ(flop_count(Opcode::bitcast_convert, {matrix}, matrix).flops, 512);
    EXPECT_EQ(flop_count(Opcode::bitcast_convert, {{64, 8, 4}}, matrix).flops, 512);
    EXPECT_EQ(flop_count(Opcode::bitcast, {matrix}, matrix).flops, 0);
    EXPECT_EQ(flop_count(Opcode::copy, {matrix}, matrix).flops, 0);
}

TEST(OperationFlops, TranscendentalFunctionsAreNoFlops) {
    EXPECT_EQ(flop_count(Opcode::tanh, {matrix}, matrix).transcendentals, 512);
    EXPECT_EQ(flop_count(Opcode::tanh, {matrix}, matrix).flops, 0);
    EXPECT_EQ(flop_count(Opcode::rng, {{}, {}}, matrix).transcendentals, 512);
}

// x/2 · (1 + erf(x/√2)): a division, a product, a sum, a division, and the function itself.
TEST(OperationFlops, ActivationsCountAsTheirFormulas) {
    const Cost gelu = flop_count(Opcode::gelu, {matrix}, matrix);
    EXPECT_EQ(gelu.flops, 4 * 512);
    EXPECT_EQ(gelu.transcendentals, 512);
    const Cost silu = flop_count(Opcode::silu, {matrix}, matrix);
    EXPECT_EQ(silu.flops, 512);
    EXPECT_EQ(silu.transcendentals, 512);
}

// Of two arrays, which a reduction over devices may have, both are summed.
TEST(OperationFlops, SumsOverDevicesTakeOneAnElementThatIsGiven) {
    EXPECT_EQ(flop_count(Opcode::all_reduce, {matrix}, matrix).flops, 512);
    EXPECT_EQ(flop_count(Opcode::all_reduce, {matrix, {8}}, matrix).flops, 520);
    EXPECT_EQ(flop_count(Opcode::all_gather, {matrix}, {128, 8}), Cost{});
}

TEST(OperationFlops, WhatOnlyMovesTakesNone) {
    for (std::size_t i = 0; i < opcode_count; ++i) {
        const auto opcode = static_cast<Opcode>(i);
        const OpcodeClass family = opcode_class(opcode);
        const bool works = family != OpcodeClass::movement && family != OpcodeClass::bookkeeping &&
                           family != OpcodeClass::control && family != OpcodeClass::foreign;
        if (works || opcode == Opcode::scatter || opcode == Opcode::bitcast_convert) continue;
        EXPECT_EQ(flop_count(opcode, {matrix, matrix, matrix}, matrix), Cost{}) << name(opcode);
    }
}

TEST(OperationFlops, AProductIsComplexWhereBothFactorsAre) {
    WrittenProgram p;
    const ValueId real = p.argument(matrix);
    const TypeId complex = p.array(matrix, ElementType::c64);
    const ValueId x = p.builder.argument(p.main, complex);
    const auto product = [&](ValueId lhs, ValueId rhs) -> const Operation& {
        return *p.program.definition(p.operation(Opcode::dot, {lhs, rhs}, {64, 64}));
    };
    EXPECT_TRUE(is_complex_product(p.program, product(x, x)));
    EXPECT_FALSE(is_complex_product(p.program, product(x, real)));
    EXPECT_FALSE(
        is_complex_product(p.program, *p.program.definition(p.operation(Opcode::add, {x, x}, matrix))));
}

}  // namespace
}  // namespace dse::ir::test
