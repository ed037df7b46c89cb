// Also tests: passes/fusion_clusters.cpp
#include "dse/ir/passes/fusion.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

using test::ProgramMaker;

std::vector<Opcode> opcodes(const Program& program) {
    std::vector<Opcode> result;
    for (const Operation& operation : program[program.entry].operations) result.push_back(operation.opcode);
    return result;
}

ComputationId addition(ProgramMaker& maker) {
    const auto id = maker.open("add");
    const auto scalar = maker.bf16({});
    const auto a = maker.argument(scalar);
    const auto b = maker.argument(scalar);
    maker.results({maker.op(Opcode::add, scalar, {a, b})});
    return id;
}

// RMSNorm of x [rows, width] times w [width]: x · rsqrt(mean(x²)) · w.
struct Norm {
    ProgramMaker maker;
    Norm() {
        const auto add = addition(maker);
        maker.open_entry();
        const auto whole = maker.bf16({64, 1024});
        const auto row = maker.bf16({64});
        const auto x = maker.argument(whole);
        const auto w = maker.argument(maker.bf16({1024}));
        const auto zero = maker.op(Opcode::constant, maker.bf16({}), {});
        const auto square = maker.op(Opcode::multiply, whole, {x, x});
        const auto sum = maker.op(Opcode::reduce, row, {square, zero}, Dimensions{{1}}, {add});
        const auto scale = maker.op(Opcode::rsqrt, row, {sum});
        const auto scales = maker.op(Opcode::broadcast, whole, {scale}, Dimensions{{0}});
        const auto scaled = maker.op(Opcode::multiply, whole, {x, scales});
        const auto weights = maker.op(Opcode::broadcast, whole, {w}, Dimensions{{1}});
        maker.results({maker.op(Opcode::multiply, whole, {scaled, weights})});
    }
};

TEST(Fusion, ANormIsOneKernelThatReadsAndWritesOnce) {
    const Norm norm;
    const Program result = fuse(norm.maker.program, FusionLevel::full);
    validate(result);
    EXPECT_EQ(opcodes(result), (std::vector{Opcode::fusion}));
    // x, w and the result, of two bytes an element.
    EXPECT_EQ(program_cost(result).once.bytes, 2.0 * (2 * 64 * 1024 + 1024));
}

TEST(Fusion, AtTheElementwiseLevelAReductionEndsItsKernel) {
    const Norm norm;
    const Program result = fuse(norm.maker.program, FusionLevel::elementwise);
    validate(result);
    EXPECT_EQ(opcodes(result), (std::vector{Opcode::fusion, Opcode::rsqrt, Opcode::fusion}));
}

TEST(Fusion, OverAllElementsAReductionEndsItsKernel) {
    // A loss: one number of everything has no rows.
    ProgramMaker maker;
    const auto add = addition(maker);
    maker.open_entry();
    const auto whole = maker.bf16({64, 1024});
    const auto x = maker.argument(whole);
    const auto zero = maker.op(Opcode::constant, maker.bf16({}), {});
    const auto square = maker.op(Opcode::multiply, whole, {x, x});
    const auto sum = maker.op(Opcode::reduce, maker.bf16({}), {square, zero}, Dimensions{{0, 1}}, {add});
    const auto everywhere = maker.op(Opcode::broadcast, whole, {sum}, Dimensions{});
    maker.results({maker.op(Opcode::multiply, whole, {x, everywhere})});
    EXPECT_EQ(opcodes(fuse(maker.program, FusionLevel::full)), (std::vector{Opcode::fusion, Opcode::fusion}));
}

TEST(Fusion, WhatFollowsAProductIsItsEpilogueOnlyWhenFull) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({32, 32});
    const auto x = maker.argument(type);
    const auto w = maker.argument(type);
    const auto turned = maker.op(Opcode::transpose, type, {w}, Dimensions{{1, 0}});
    const auto y = maker.dot(type, x, turned);
    maker.results({maker.op(Opcode::tanh, type, {y})});
    EXPECT_EQ(opcodes(fuse(maker.program, FusionLevel::elementwise)),
              (std::vector{Opcode::fusion, Opcode::tanh}));
    EXPECT_EQ(opcodes(fuse(maker.program, FusionLevel::full)), (std::vector{Opcode::fusion}));
}

// What people look for in a table of kernels is the product, not the conversion behind it.
TEST(Fusion, AKernelIsCalledAfterItsProduct) {
    const Program program = read_program(Source::text(R"(HloModule step
ENTRY main {
  x = f32[8,8] parameter(0)
  y = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="up_projection"}
  t = f32[8,8] tanh(y), metadata={op_name="activation"}
  s = f32[8,8] add(t, x), metadata={op_name="residual"}
  ROOT u = f32[8,8] add(s, s), metadata={op_name="twice"}
})",
                                                      "step.hlo"));
    const auto kernel_called = [&](FusionLevel level) {
        const Program fused = fuse(program, level);
        const std::vector<Operation>& operations = fused[fused.entry].operations;
        const auto kernel =
            std::find_if(operations.begin(), operations.end(),
                         [](const Operation& operation) { return operation.opcode == Opcode::fusion; });
        return kernel == operations.end() ? "" : std::string{fused.text(kernel->label)};
    };
    EXPECT_EQ(kernel_called(FusionLevel::full), "up_projection");
    EXPECT_EQ(kernel_called(FusionLevel::elementwise), "twice");
}

TEST(Fusion, AValueWithTwoReadersIsWritten) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.bf16({32, 32});
    const auto x = maker.argument(type);
    const auto y = maker.op(Opcode::tanh, type, {x});
    const auto z = maker.dot(type, y, x);
    maker.results({maker.op(Opcode::add, type, {y, z})});
    EXPECT_EQ(opcodes(fuse(maker.program, FusionLevel::elementwise)),
              (std::vector{Opcode::tanh, Opcode::dot, Opcode::add}));
}

/// A product stands where it computes, before what runs in the meantime, not where the last view of it is.
TEST(Fusion, ViewsOfAResultDoNotDelayItsKernel) {
    ProgramMaker maker;
    maker.open_entry();
    const auto x = maker.argument(maker.bf16({32, 16}));
    const auto first = maker.op(Opcode::negate, maker.bf16({32, 16}), {x});
    const auto second = maker.op(Opcode::sine, maker.bf16({32, 16}), {first});
    const auto other = maker.op(Opcode::cosine, maker.bf16({32, 16}), {x});
    const auto shown = maker.op(Opcode::reshape, maker.bf16({4, 8, 16}), {second});
    maker.results({shown, other});
    const Program result = fuse(maker.program, FusionLevel::full);
    validate(result);
    EXPECT_EQ(opcodes(result), (std::vector{Opcode::fusion, Opcode::cosine, Opcode::reshape}));
}

// The bits of fp32 numbers as integers, as random numbers and rounding by hand do.
TEST(Fusion, AKernelReadsBitsAsThoseOfAnotherType) {
    ProgramMaker maker;
    maker.open_entry();
    const auto real = maker.array(ElementType::f32, {64, 32});
    const auto bits = maker.array(ElementType::s32, {64, 32});
    const auto x = maker.argument(real);
    const auto sine = maker.op(Opcode::sine, real, {x});
    const auto as_bits = maker.op(Opcode::bitcast_convert, bits, {sine});
    const auto less = maker.op(Opcode::negate, bits, {as_bits});
    const auto back = maker.op(Opcode::bitcast_convert, real, {less});
    maker.results({maker.op(Opcode::cosine, real, {back})});
    for (const FusionLevel level : {FusionLevel::elementwise, FusionLevel::full}) {
        const Program result = fuse(maker.program, level);
        validate(result);
        EXPECT_EQ(opcodes(result), std::vector{Opcode::fusion});
        // In and out, of four bytes an element.
        EXPECT_EQ(program_cost(result).once.bytes, 2.0 * 4 * 64 * 32);
    }
}

// Of types of another size it is a view of twice as many elements: what reads them is another kernel, and
// takes the view along.
TEST(Fusion, BitsOfAnotherNumberOfElementsAreAView) {
    ProgramMaker maker;
    maker.open_entry();
    const auto wide = maker.array(ElementType::u32, {64});
    const auto narrow = maker.array(ElementType::u16, {64, 2});
    const auto x = maker.argument(wide);
    const auto first = maker.op(Opcode::negate, wide, {x});
    const auto halves = maker.op(Opcode::bitcast_convert, narrow, {first});
    maker.results({maker.op(Opcode::negate, narrow, {halves})});
    const Program result = fuse(maker.program, FusionLevel::elementwise);
    validate(result);
    EXPECT_EQ(opcodes(result), (std::vector{Opcode::negate, Opcode::fusion}));
}

// Weights that stand as bytes are read as the format that they are in.
TEST(Fusion, AProductReadsItsOperandsBitsAsTheyAreMeant) {
    ProgramMaker maker;
    maker.open_entry();
    const auto type = maker.array(ElementType::f8e4m3fn, {32, 32});
    const auto x = maker.argument(type);
    const auto w = maker.argument(maker.array(ElementType::u8, {32, 32}));
    const auto weights = maker.op(Opcode::bitcast_convert, type, {w});
    maker.results({maker.dot(maker.bf16({32, 32}), x, weights)});
    EXPECT_EQ(opcodes(fuse(maker.program, FusionLevel::elementwise)), std::vector{Opcode::fusion});
}

/// A view of a view: nobody moves anything.
TEST(Fusion, ViewsAloneAreNoKernel) {
    ProgramMaker maker;
    maker.program.language = Language::fx;
    maker.open_entry();
    const auto x = maker.argument(maker.bf16({4, 8, 16}));
    const auto flat = maker.op(Opcode::view, maker.bf16({32, 16}), {x});
    const auto turned = maker.op(Opcode::transpose, maker.bf16({16, 32}), {flat}, Dimensions{{1, 0}});
    const auto sine = maker.op(Opcode::sine, maker.bf16({16, 32}), {turned});
    maker.results({turned, sine});
    for (const FusionLevel level : {FusionLevel::elementwise, FusionLevel::full}) {
        const Program result = fuse(maker.program, level);
        validate(result);
        EXPECT_EQ(opcodes(result), (std::vector{Opcode::view, Opcode::transpose, Opcode::sine}));
    }
    // In HLO the transpose copies: it and the view before it are one kernel.
    maker.program.language = Language::hlo;
    EXPECT_EQ(opcodes(fuse(maker.program, FusionLevel::full)), (std::vector{Opcode::fusion, Opcode::sine}));
}

TEST(Fusion, KnowsProgramsThatAreFused) {
    const Norm norm;
    EXPECT_FALSE(has_fusions(norm.maker.program));
    EXPECT_TRUE(has_fusions(fuse(norm.maker.program, FusionLevel::full)));
}

/// Of the operations with a line, by line: the lines of all that they depend on, directly or not.
class Dependencies {
  public:
    explicit Dependencies(const Program& program) : program_{program}, lines_(program.values.size()) {
        const Computation& entry = program[program.entry];
        for (std::size_t i = 0; i < entry.arguments.size(); ++i)
            lines_[entry.arguments[i].index()] = {1000U + static_cast<std::uint32_t>(i)};
        visit(program.entry);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> of_line;

  private:
    void visit(ComputationId id) {
        for (const Operation& operation : program_[id].operations) {
            std::vector<std::uint32_t> found;
            for (const ValueId operand : program_.operands(operation))
                found.insert(found.end(), lines_[operand.index()].begin(), lines_[operand.index()].end());
            if (operation.opcode == Opcode::fusion) {
                const ComputationId body = program_.called(operation).front();
                for (std::size_t i = 0; i < program_[body].arguments.size(); ++i)
                    lines_[program_[body].arguments[i].index()] =
                        lines_[program_.operands(operation)[i].index()];
                visit(body);
                lines_[Program::result(operation).index()] = lines_[program_[body].results.front().index()];
                continue;
            }
            std::sort(found.begin(), found.end());
            found.erase(std::unique(found.begin(), found.end()), found.end());
            of_line[operation.line] = found;
            found.push_back(operation.line);
            lines_[Program::result(operation).index()] = found;
        }
    }
    const Program& program_;
    std::vector<std::vector<std::uint32_t>> lines_;
};

TEST(Fusion, KeepsFlopsAndDependenciesOfRandomPrograms) {
    std::mt19937 random{23};
    for (int round = 0; round < 300; ++round) {
        ProgramMaker maker;
        const auto add = addition(maker);
        maker.open_entry();
        const auto whole = maker.bf16({32, 32});
        const auto row = maker.bf16({32});
        std::vector<ValueId> wholes{maker.argument(whole), maker.argument(whole)};
        std::vector<ValueId> rows{maker.argument(row)};
        const auto any = [&](const std::vector<ValueId>& values) { return values[random() % values.size()]; };
        const auto zero = maker.op(Opcode::constant, maker.bf16({}), {});
        for (int i = 0; i < 12; ++i) {
            switch (random() % 6) {
                case 0:
                    wholes.push_back(maker.dot(whole, any(wholes), any(wholes)));
                    break;
                case 1:
                    rows.push_back(
                        maker.op(Opcode::reduce, row, {any(wholes), zero}, Dimensions{{1}}, {add}));
                    break;
                case 2:
                    wholes.push_back(maker.op(Opcode::broadcast, whole, {any(rows)}, Dimensions{{0}}));
                    break;
                case 3:
                    rows.push_back(maker.op(Opcode::rsqrt, row, {any(rows)}));
                    break;
                case 4:
                    wholes.push_back(maker.op(Opcode::all_reduce, whole, {any(wholes)},
                                              ProgramMaker::groups(DeviceGroups::iota(1, 2, {2}, {}))));
                    break;
                default:
                    wholes.push_back(maker.op(Opcode::multiply, whole, {any(wholes), any(wholes)}));
            }
        }
        maker.results({wholes.back(), rows.back()});
        const Program& before = maker.program;
        const Dependencies expected(before);
        for (const FusionLevel level : {FusionLevel::elementwise, FusionLevel::full}) {
            const Program after = fuse(before, level);
            validate(after);
            ASSERT_EQ(program_cost(after).once.dot, program_cost(before).once.dot);
            ASSERT_LE(program_cost(after).once.bytes, program_cost(before).once.bytes);
            const Dependencies found(after);
            // What nobody reads and costs nothing to repeat may be gone.
            for (const auto& [line, sources] : found.of_line) ASSERT_EQ(sources, expected.of_line.at(line));
        }
    }
}

}  // namespace
}  // namespace dse::ir
