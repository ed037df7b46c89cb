#include "dse/frontend/lowering/kernel.hpp"

#include <gtest/gtest.h>

#include "support/program_maker.hpp"

namespace dse::frontend {
namespace {

using ir::ElementType;
using ir::Opcode;
using test::ProgramMaker;
using workload::OpClass;
using workload::Precision;

const ir::Operation& last(const ProgramMaker& maker) {
    return maker.program[maker.current].operations.back();
}

workload::Compute kernel(const ProgramMaker& maker) {
    const ir::ForeignCosts foreign;
    return KernelCosts{maker.program, foreign}.kernel(last(maker));
}

TEST(Kernel, AttentionHasTheShapeOfItsScores) {
    // aten: [batch, heads, sequence, head]; two products of 2 · 2·8·128·256·64 FLOPs.
    ProgramMaker maker;
    maker.program.language = ir::Language::fx;
    maker.open_entry();
    const auto queries = maker.bf16({2, 8, 128, 64});
    const auto keys = maker.bf16({2, 8, 256, 64});
    const auto q = maker.argument(queries);
    const auto k = maker.argument(keys);
    const auto v = maker.argument(keys);
    maker.op(Opcode::attention, queries, {q, k, v});
    const workload::Compute compute = kernel(maker);
    EXPECT_EQ(compute.op_class, OpClass::attention);
    EXPECT_EQ(compute.gemm.batch, 16);
    EXPECT_EQ(compute.gemm.m, 128);
    EXPECT_EQ(compute.gemm.n, 256);
    EXPECT_EQ(compute.gemm.k, 64);
    EXPECT_EQ(compute.executed_flop, Flop{2.0 * 2 * 16 * 128 * 256 * 64});
}

TEST(Kernel, AGatherReadsWhatItPicks) {
    ProgramMaker maker;
    maker.open_entry();
    const auto table = maker.argument(maker.bf16({50000, 64}));
    const auto ids = maker.argument(maker.array(ElementType::s32, {8}));
    maker.op(Opcode::gather, maker.bf16({8, 64}), {table, ids}, ir::GatherDimensions{});
    const workload::Compute compute = kernel(maker);
    EXPECT_EQ(compute.op_class, OpClass::embedding);
    // Rows and ids in, rows out.
    EXPECT_EQ(compute.read + compute.written, Bytes{2.0 * 2 * 8 * 64 + 4 * 8});
}

TEST(Kernel, ProductsRunAtTheirOperandsPrecision) {
    ProgramMaker maker;
    maker.open_entry();
    const auto narrow = maker.array(ElementType::f8e4m3fn, {16, 16});
    const auto x = maker.argument(narrow);
    maker.dot(maker.bf16({16, 16}), x, x);
    EXPECT_EQ(kernel(maker).precision, Precision::fp8);
    EXPECT_EQ(precision_of(ElementType::f64), Precision::fp64);
    EXPECT_EQ(precision_of(ElementType::s8), Precision::fp32);
    EXPECT_EQ(precision_of(ElementType::f4e2m1fn), Precision::fp4);
}

TEST(Kernel, IndicesAndViewsAreNoWork) {
    ProgramMaker maker;
    maker.open_entry();
    const auto counter = maker.argument(maker.array(ElementType::s32, {}));
    const auto x = maker.argument(maker.bf16({4, 4}));
    maker.op(Opcode::add, maker.array(ElementType::s32, {}), {counter, counter});
    EXPECT_EQ(device_work(maker.program, last(maker)), DeviceWork::nothing);
    maker.op(Opcode::transpose, maker.bf16({4, 4}), {x});
    EXPECT_EQ(device_work(maker.program, last(maker)), DeviceWork::kernel);
    maker.program.language = ir::Language::fx;
    EXPECT_EQ(device_work(maker.program, last(maker)), DeviceWork::nothing);
}

}  // namespace
}  // namespace dse::frontend
