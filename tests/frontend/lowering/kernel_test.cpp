#include "frontend/lowering/kernel.hpp"

#include <gtest/gtest.h>

#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "support/program_maker.hpp"

namespace dse::frontend {
namespace {

using graph::OpClass;
using graph::Precision;
using ir::ElementType;
using ir::Opcode;
using test::ProgramMaker;

const ir::Operation& last(const ProgramMaker& maker) {
    return maker.program[maker.current].operations.back();
}

graph::Compute kernel(const ProgramMaker& maker) {
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
    const graph::Compute compute = kernel(maker);
    EXPECT_EQ(compute.op_class, OpClass::attention);
    EXPECT_EQ(compute.gemm.batch, 16);
    EXPECT_EQ(compute.gemm.m, 128);
    EXPECT_EQ(compute.gemm.n, 256);
    EXPECT_EQ(compute.gemm.k, 64);
    EXPECT_EQ(compute.executed_flop, Flop{2.0 * 2 * 16 * 128 * 256 * 64});
}

TEST(Kernel, FusedAttentionOfACompositeHasItsShapeToo) {
    // [batch, sequence, heads, head], 8 heads on 2 of keys; causal: half of 2 products of 2 · 2·8·128·256·64.
    ProgramMaker maker;
    maker.open_entry();
    const auto queries = maker.bf16({2, 128, 8, 64});
    const auto q = maker.argument(queries);
    const auto k = maker.argument(maker.bf16({2, 256, 2, 64}));
    maker.op(
        Opcode::custom_call, queries, {q, k, k},
        ir::ForeignCall{maker.builder.name("dse.flash_attention"), maker.builder.name("{causal = true}")});
    const graph::Compute compute = kernel(maker);
    EXPECT_EQ(compute.op_class, OpClass::attention);
    EXPECT_EQ(compute.gemm.batch, 16);
    EXPECT_EQ(compute.gemm.m, 128);
    EXPECT_EQ(compute.gemm.n, 256);
    EXPECT_EQ(compute.gemm.k, 64);
    EXPECT_EQ(compute.executed_flop, Flop{2.0 * 16 * 128 * 256 * 64});
    EXPECT_EQ(compute.read + compute.written, Bytes{2.0 * (2 * 2 * 128 * 8 * 64 + 2 * 2 * 256 * 2 * 64)});
    EXPECT_EQ(compute.precision, Precision::bf16);
}

graph::Compute kernel_of_call(const std::string& instructions, const ir::ForeignCosts& foreign = {}) {
    const ir::Program program =
        ir::read_hlo(ir::Source::text("ENTRY main {\n" + instructions + "\n}", "t.hlo"));
    return KernelCosts{program, foreign}.kernel(program[program.entry].operations.back());
}

TEST(Kernel, ForeignAttentionHasTheShapeOfItsScores) {
    const graph::Compute compute = kernel_of_call(
        "q = bf16[2,512,8,64] parameter(0)\n"
        "r = (bf16[2,512,8,64], u8[0]) custom-call(q, q, q), custom_call_target=\"__cudnn$fmhaSoftmax\", "
        R"(backend_config={"intermediate_tensor_shape":{"dimensions":["2","8","512","512"]}})");
    EXPECT_EQ(compute.op_class, OpClass::attention);
    EXPECT_EQ(compute.precision, Precision::bf16) << "of its operands: its result is a tuple";
    EXPECT_EQ(compute.gemm.batch, 16);
    EXPECT_EQ(compute.gemm.m, 512);
    EXPECT_EQ(compute.gemm.n, 512);
    EXPECT_EQ(compute.gemm.k, 64);
}

TEST(Kernel, ForeignProductsHaveShapeAndPrecision) {
    const auto product = [](const std::string& element, const std::string& precision) {
        return kernel_of_call("a = " + element + "[8,16] parameter(0)\nb = " + element +
                              "[16,32] parameter(1)\nr = (" + element +
                              "[8,32], s8[64]) custom-call(a, b), custom_call_target=\"__cublas$gemm\", "
                              "backend_config={\"operand_precision\":[\"" +
                              precision + "\",\"DEFAULT\"]}");
    };
    EXPECT_EQ(product("f32", "DEFAULT").precision, Precision::tf32);
    EXPECT_EQ(product("f32", "HIGHEST").precision, Precision::fp32);
    const graph::Compute compute = product("bf16", "DEFAULT");
    EXPECT_EQ(compute.precision, Precision::bf16);
    EXPECT_EQ(compute.gemm.m, 8);
    EXPECT_EQ(compute.gemm.n, 32);
    EXPECT_EQ(compute.gemm.k, 16);
}

TEST(Kernel, ForeignTransformsAreNotRounded) {
    const graph::Compute compute = kernel_of_call(
        "x = c64[16,16,16] parameter(0)\nr = c64[16,16,16] custom-call(x), custom_call_target=\"pfft3d\"");
    EXPECT_EQ(compute.precision, Precision::fp32);
}

TEST(Kernel, ComplexProductsTakeFourRealOnes) {
    // 4 · 2 · 8·32·16 FLOPs of fp64, of a product on its own as of a fused one.
    const std::string inputs = "a = c128[8,16] parameter(0)\nb = c128[16,32] parameter(1)\n";
    const std::string product =
        "r = c128[8,32] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    for (const std::string& instructions :
         {inputs + product,
          inputs + "f = c128[8,32] fusion(a, b), kind=kOutput, calls={ " + inputs + product + " }"}) {
        const graph::Compute compute = kernel_of_call(instructions);
        EXPECT_EQ(compute.op_class, OpClass::gemm);
        EXPECT_EQ(compute.executed_flop, Flop{4.0 * 2 * 8 * 32 * 16});
        EXPECT_EQ(compute.model_flop, compute.executed_flop);
        EXPECT_EQ(compute.precision, Precision::fp64);
    }
}

TEST(Kernel, AGatherReadsWhatItPicks) {
    ProgramMaker maker;
    maker.open_entry();
    const auto table = maker.argument(maker.bf16({50000, 64}));
    const auto ids = maker.argument(maker.array(ElementType::s32, {8}));
    maker.op(Opcode::gather, maker.bf16({8, 64}), {table, ids}, ir::GatherDimensions{});
    const graph::Compute compute = kernel(maker);
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
