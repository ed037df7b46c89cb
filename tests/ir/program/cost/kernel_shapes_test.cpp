// Also tests: program/cost/foreign_call.cpp
#include "dse/ir/program/cost/kernel_shapes.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/cost/foreign_costs.hpp"
#include "ir/readers/hlo/hlo_text.hpp"
#include "ir/readers/mlir/mlir_text.hpp"
#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

std::optional<AttentionShape> attention(const std::string& lines) {
    const Program program = hlo_instructions(lines);
    return attention_shape(program, labelled(program, "r"));
}

// As JAX 0.10.2 lowers jax.nn.dot_product_attention(implementation="cudnn"): [batch, sequence, heads, size].
const std::string cudnn_inputs = "q = bf16[2,512,8,64] parameter(0)\nk = bf16[2,1024,8,64] parameter(1)\n";
std::string cudnn(const std::string& target, const std::string& mask) {
    return cudnn_inputs +
           "r = (bf16[2,512,8,64], u8[0]) custom-call(q, k, k), custom_call_target=\"__cudnn$fmha" + target +
           R"(", backend_config={"cudnn_fmha_backend_config":{"fmha_scale":0.125,"intermediate_tensor_shape":{"element_type":"BF16","dimensions":["2","8","512","1024"],"layout":{"minor_to_major":["3","2","1","0"]}},"mask_type":")" +
           mask + R"("}})";
}

TEST(AttentionShape, OfCudnnStandsInItsConfiguration) {
    const auto shape = attention(cudnn("Softmax", "NO_MASK"));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->batch, 2);
    EXPECT_EQ(shape->heads, 8);
    EXPECT_EQ(shape->queries, 512);
    EXPECT_EQ(shape->keys, 1024);
    EXPECT_EQ(shape->head_size, 64);
    EXPECT_FALSE(shape->causal);
    // Two products of 2 · 2·8·512·1024·64.
    EXPECT_EQ(shape->flops(), 4.0 * 2 * 8 * 512 * 1024 * 64);
    EXPECT_EQ(attention(cudnn("Softmax", "PADDING_CAUSAL"))->flops(), shape->flops() / 2);
}

// A call that a device has of the one above, which 2 devices share by its heads: what the operands say.
TEST(AttentionShape, OfAPartOfACallOfCudnnIsThatOfItsOperands) {
    const auto shape = attention(
        "q = bf16[2,512,4,64] parameter(0)\nk = bf16[2,1024,4,64] parameter(1)\n"
        "r = (bf16[2,4,512,64], u8[0]) custom-call(q, k, k), custom_call_target=\"__cudnn$fmhaSoftmax\", "
        R"(backend_config={"cudnn_fmha_backend_config":{"intermediate_tensor_shape":{"dimensions":["2","8","512","1024"]},"bmm1_dot_dimension_numbers":{"lhs_batch_dimensions":["0","2"],"rhs_batch_dimensions":["0","2"]}}})");
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->batch, 2);
    EXPECT_EQ(shape->heads, 4);
    EXPECT_EQ(shape->queries, 512);
    EXPECT_EQ(shape->keys, 1024);
    EXPECT_EQ(shape->head_size, 64);
}

TEST(AttentionShape, BackwardPassesOfCudnnAreTwoAndAHalfForwardOnes) {
    const auto flops = [](const std::string& target) {
        const Program program = hlo_instructions(cudnn(target, "NO_MASK"));
        return ForeignCosts{}.cost(program, labelled(program, "r"))->foreign_flops;
    };
    const double forward = flops("Softmax");
    EXPECT_EQ(flops("ScaleBiasSoftmaxDropout"), forward);
    EXPECT_EQ(flops("SoftmaxF8"), forward);
    EXPECT_EQ(flops("SoftmaxDropoutBackward"), 2.5 * forward);
    EXPECT_EQ(flops("SoftmaxBackwardF8"), 2.5 * forward);
}

TEST(AttentionShape, MlirWritesTheConfigurationWithEscapes) {
    const Program program = mlir::program_of(
        R"(func.func @main(%q: tensor<2x512x8x64xbf16>) -> tensor<2x512x8x64xbf16> {
  %0 = stablehlo.custom_call @__cudnn$fmhaSoftmax(%q, %q, %q) {backend_config = "{\22cudnn_fmha_backend_config\22: {\22intermediate_tensor_shape\22: {\22dimensions\22: [\222\22, \228\22, \22512\22, \22512\22]}, \22mask_type\22: \22CAUSAL\22}}"} : (tensor<2x512x8x64xbf16>, tensor<2x512x8x64xbf16>, tensor<2x512x8x64xbf16>) -> tensor<2x512x8x64xbf16>
  return %0 : tensor<2x512x8x64xbf16>
})");
    const auto shape = attention_shape(program, mlir::first(program));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->heads, 8);
    EXPECT_EQ(shape->keys, 512);
    EXPECT_TRUE(shape->causal);
}

TEST(AttentionShape, OfTransformerEngineIsStatedWhole) {
    const auto shape = attention(
        cudnn_inputs +
        "r = bf16[2,512,8,32] custom-call(q, k, k), custom_call_target=\"te_fused_attn_forward_ffi\", "
        "backend_config={attn_heads = 8 : i64, input_batch = 2 : i64, kv_max_seqlen = 1024 : i64, "
        "mask_type = 2 : i64, q_max_seqlen = 512 : i64, qk_head_dim = 64 : i64, v_head_dim = 32 : i64}");
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->head_size, 64);
    EXPECT_EQ(shape->value_size, 32);
    EXPECT_TRUE(shape->causal);
    EXPECT_EQ(shape->flops(), 2.0 * 2 * 8 * 512 * 1024 * (64 + 32) / 2);
}

// scaled_dot_product_attention has [batch, heads, sequence, size], the kernels below it [batch, sequence,
// heads, size].
TEST(AttentionShape, OfPyTorchIsThatOfItsOperands) {
    dse::test::ProgramMaker maker;
    maker.program.language = Language::fx;
    maker.open_entry();
    const auto q = maker.argument(maker.bf16({2, 128, 8, 64}));
    const auto v = maker.argument(maker.bf16({2, 128, 8, 32}));
    const auto named = [&](const char* name, std::vector<ValueId> operands, Opcode opcode) {
        maker.op(opcode, maker.bf16({2, 128, 8, 32}), operands);
        Operation operation = maker.program[maker.current].operations.back();
        operation.name = ProgramBuilder{maker.program}.name(name);
        return attention_shape(maker.program, operation);
    };
    const auto whole =
        named("aten._scaled_dot_product_flash_attention.default", {q, q, v}, Opcode::attention);
    EXPECT_EQ(whole->heads, 128);
    EXPECT_EQ(whole->keys, 8);
    EXPECT_EQ(whole->value_size, 32);
    const auto kernel = named("aten._flash_attention_forward.default", {q, q, v}, Opcode::attention);
    EXPECT_EQ(kernel->heads, 8);
    EXPECT_EQ(kernel->keys, 128);
    const auto gradient =
        named("aten._flash_attention_backward.default", {v, q, q, v}, Opcode::attention_backward);
    EXPECT_EQ(gradient->head_size, 64);
    EXPECT_EQ(gradient->value_size, 32);
}

TEST(AttentionShape, OfFewerDimensionsIsUnknown) {
    EXPECT_FALSE(
        attention("q = bf16[512,64] parameter(0)\nr = bf16[512,64] custom-call(q, q, q), "
                  "custom_call_target=\"__cudnn$fmhaSoftmax\""));
    EXPECT_FALSE(
        attention("q = bf16[2,0,8,64] parameter(0)\nr = bf16[2,0,8,64] custom-call(q, q, q), "
                  "custom_call_target=\"__cudnn$fmhaSoftmax\""));
}

TEST(ProductShape, StandsInTheConfiguration) {
    const Program program = hlo_instructions(
        "a = f32[4,16,8] parameter(0)\nb = f32[4,16,32] parameter(1)\nr = (f32[4,8,32], s8[64]) "
        "custom-call(a, b), "
        "custom_call_target=\"__cublas$gemm\", "
        R"(backend_config={"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["1"],"lhs_batch_dimensions":["0"],"rhs_batch_dimensions":["0"]}}})");
    const auto shape = product_shape(program, labelled(program, "r"));
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->batch, 4);
    EXPECT_EQ(shape->m, 8);
    EXPECT_EQ(shape->n, 32);
    EXPECT_EQ(shape->k, 16);
}

TEST(ProductShape, IsNoneOfOtherCallsAndOfNonsense) {
    const auto shape = [](const std::string& target, const std::string& configuration) {
        const Program program = hlo_instructions(
            "a = f32[8,16] parameter(0)\nr = f32[8,8] custom-call(a, a), custom_call_target=\"" + target +
            "\", backend_config=" + configuration);
        return product_shape(program, labelled(program, "r"));
    };
    EXPECT_TRUE(shape("__cublas$lt$matmul", "{}"));
    EXPECT_FALSE(shape("pfft3d", "{}"));
    EXPECT_FALSE(shape("__cublas$gemm", R"({"lhs_contracting_dimensions":["7"]})"));
    EXPECT_FALSE(shape("__cublas$gemm", R"({"lhs_batch_dimensions":["-1"]})"));
}

}  // namespace
}  // namespace dse::ir
