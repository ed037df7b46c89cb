// Also tests: program/cost/foreign_formula.cpp, program/cost/foreign_costs_yaml.cpp

#include "dse/ir/program/cost/foreign_costs.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dse/ir/program/cost/foreign_costs_yaml.hpp"
#include "dse/ir/program/program_error.hpp"
#include "ir/readers/hlo/hlo_text.hpp"
#include "ir/readers/mlir/mlir_text.hpp"
#include "support/error_message.hpp"
#include "support/temporary_folder.hpp"

namespace dse::ir {
namespace {

std::optional<Cost> cost(const std::string& lines) {
    const Program program = hlo_instructions(lines);
    return ForeignCosts{}.cost(program, labelled(program, "r"));
}

const std::string attention_inputs = "q = bf16[2,512,8,64] parameter(0)\nk = bf16[2,512,4,64] parameter(1)\n";

std::string attention(const std::string& pass, int mask) {
    return attention_inputs +
           "r = (bf16[2,512,8,64], f32[2,8,512,1], u8[1000]) custom-call(q, k, k), "
           "custom_call_target=\"te_fused_attn_" +
           pass +
           "_ffi\", api_version=API_VERSION_TYPED_FFI, backend_config={attn_heads = 8 : i64, input_batch = 2 "
           ": i64, is_training = true, kv_max_seqlen = 512 : i64, mask_type = " +
           std::to_string(mask) +
           " : i64, num_gqa_groups = 4 : i64, q_max_seqlen = 512 : i64, qk_head_dim = 64 : i64, v_head_dim = "
           "64 : i64}";
}

// 4 · batch 2 · heads 8 · 512² · 64; operands 2 · 1 MiB (the keys have half the heads), results 1 MiB and
// 2 · 8 · 512 · 4; scratch aside.
TEST(ForeignCosts, OfFusedAttention) {
    const double whole = 4.0 * 2 * 8 * 512 * 512 * 64;
    EXPECT_EQ(cost(attention("forward", 0))->foreign_flops, whole);
    EXPECT_EQ(cost(attention("forward", 3))->foreign_flops, whole / 2);
    EXPECT_EQ(cost(attention("backward", 2))->foreign_flops, 2.5 * whole / 2);
    EXPECT_EQ(cost(attention("forward", 0))->foreign_bytes, 3 * 1048576 + 32768);
    EXPECT_EQ(cost(attention("forward", 0))->flops, 0);
}

TEST(ForeignCosts, OfProducts) {
    const std::string inputs = "a = f32[4,8,16] parameter(0)\nb = f32[4,16,32] parameter(1)\n";
    EXPECT_EQ(
        cost(inputs + "r = (f32[4,8,32], s8[64]) custom-call(a, b), custom_call_target=\"__cublas$gemm\", "
                      "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":{\"lhs_contracting_"
                      "dimensions\":[\"2\"],\"rhs_contracting_dimensions\":[\"1\"]}}}")
            ->foreign_flops,
        2.0 * 4 * 8 * 32 * 16);
    EXPECT_EQ(cost(inputs + "r = f32[4,8,32] custom-call(a, b), custom_call_target=\"__cublas$lt$matmul\"")
                  ->foreign_flops,
              2.0 * 4 * 8 * 32 * 16);
}

TEST(ForeignCosts, ComplexProductsTakeFourRealOnes) {
    const auto product = cost(
        "a = c64[4,8,16] parameter(0)\nb = c64[4,16,32] parameter(1)\n"
        "r = c64[4,8,32] custom-call(a, b), custom_call_target=\"__cublas$lt$matmul\"");
    EXPECT_EQ(product->foreign_flops, 2.0 * 4 * 8 * 32 * 16);
    EXPECT_EQ(product->executed(), 4 * 2.0 * 4 * 8 * 32 * 16);
}

TEST(ForeignCosts, OfConvolutions) {
    EXPECT_EQ(cost("x = f32[1,4,4,2] parameter(0)\nw = f32[3,3,2,8] parameter(1)\nr = (f32[1,4,4,8], u8[0]) "
                   "custom-call(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
                   "custom_call_target=\"__cudnn$convForward\"")
                  ->foreign_flops,
              2.0 * 2 * 8 * 100);
}

TEST(ForeignCosts, OfMovementAndAnnotations) {
    const auto moved =
        cost("x = f32[8] parameter(0)\nr = f32[8] custom-call(x), custom_call_target=\"MoveToHost\"");
    EXPECT_EQ(moved->foreign_flops, 0);
    EXPECT_EQ(moved->foreign_bytes, 64);
    EXPECT_EQ(
        cost(
            "x = f32[8] parameter(0)\nr = f32[8] custom-call(x), custom_call_target=\"SPMDFullToShardShape\"")
            ->foreign_bytes,
        0);
}

// 8 · 4096 elements · (4 + 4 + 4)
TEST(ForeignCosts, OfDistributedTransforms) {
    EXPECT_EQ(
        cost(
            "x = c64[16,16,16] parameter(0)\nr = c64[16,16,16] custom-call(x), custom_call_target=\"pfft3d\"")
            ->foreign_flops,
        8.0 * 4096 * 12);
}

// Kernels of Pallas say what they cost; operand and result have 32 bytes each.
TEST(ForeignCosts, OfKernelsThatStateThem) {
    const auto with = [](const std::string& configuration) {
        return cost(
            "x = f32[8] parameter(0)\nr = f32[8] custom-call(x), custom_call_target=\"tpu_custom_call\", "
            "backend_config=" +
            configuration);
    };
    const auto stated = with(R"({"custom_call_config":{"body":"TUzv","cost_estimate":{"flops":"33554432",)"
                             R"("transcendentals":"0","bytes_accessed":"524288"},"flops":"1"}})");
    ASSERT_TRUE(stated);
    EXPECT_EQ(stated->foreign_flops, 33554432);
    EXPECT_EQ(stated->foreign_bytes, 524288);
    EXPECT_EQ(stated->flops, 0) << "XLA counts nothing";
    const auto escaped = with(R"("{\"custom_call_config\": {\"cost_estimate\": {\"flops\": 4096}}}")");
    ASSERT_TRUE(escaped);
    EXPECT_EQ(escaped->foreign_flops, 4096);
    EXPECT_EQ(escaped->foreign_bytes, 64);
    EXPECT_FALSE(with(R"({"custom_call_config":{"cost_estimate":{},"flops":"1"}})"));
    EXPECT_FALSE(with(R"({"custom_call_config":{"cost_estimate":{"flops":"-1"}}})"));
    EXPECT_FALSE(with(R"({"custom_call_config":{"body":"TUzv"}})"));
}

TEST(ForeignCosts, OfKernelsThatStateThemInMlir) {
    const Program program = mlir::program_of(R"(func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @tpu_custom_call(%x) {backend_config =
    "{\22custom_call_config\22: {\22cost_estimate\22: {\22flops\22: 4096, \22bytes_accessed\22: 128}}}"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
})");
    const auto stated = ForeignCosts{}.cost(program, mlir::first(program));
    ASSERT_TRUE(stated);
    EXPECT_EQ(stated->foreign_flops, 4096);
    EXPECT_EQ(stated->foreign_bytes, 128);
}

TEST(ForeignCosts, OfStrangersAreUnknown) {
    EXPECT_FALSE(
        cost("x = f32[8] parameter(0)\nr = f32[8] custom-call(x), custom_call_target=\"somebody_elses\""));
    EXPECT_FALSE(
        cost("x = f32[8] parameter(0)\nr = f32[8] custom-call(x), "
             "custom_call_target=\"te_fused_attn_forward_ffi\""));
}

const char* const call =
    "x = f32[4,16] parameter(0)\nw = bf16[16,8] parameter(1)\nr = (f32[4,8], u8[9]) custom-call(x, w), "
    "custom_call_target=\"my_product\"";

ForeignCosts table(const std::string& text) {
    const dse::test::TemporaryFolder folder;
    return foreign_costs_of(folder.write("costs.yaml", text));
}

std::optional<Cost> by_table(const std::string& text) {
    const Program program = hlo_instructions(call);
    return table(text).cost(program, labelled(program, "r"));
}

// 2 · 4 · 8 · 16; operands 256 + 256 bytes, results 128 + 9.
TEST(ForeignCosts, TheUsersTableSaysMore) {
    const auto own = by_table("my_product: {flops: 2 * out_d0 * out_d1 * in0_d1}");
    ASSERT_TRUE(own);
    EXPECT_EQ(own->foreign_flops, 2 * 4 * 8 * 16);
    EXPECT_EQ(own->foreign_bytes, 256 + 256 + 137);
    EXPECT_EQ(by_table("my_product: {flops: in0 + out, bytes: in1_bytes}")->foreign_flops, 64 + 41);
    EXPECT_EQ(by_table("my_product: {flops: in0 + out, bytes: in1_bytes}")->foreign_bytes, 256);
    EXPECT_FALSE(by_table("other: {flops: 1}"));
}

TEST(ForeignCosts, NothingTakesLessThanNothing) {
    EXPECT_NE(dse::test::error_message([] {
                  table("other: {flops: 1 - 2}");
              }).find("flops is 1 - 2, but must be at least 0"),
              std::string::npos);
    EXPECT_NE(dse::test::error_message([] { table("other: {flops: 1, bytes: -1}"); }).find("bytes is -1"),
              std::string::npos);
    // 64 elements less 100; "r" is what is refused.
    const Program program = hlo_instructions(call);
    const Operation& r = labelled(program, "r");
    const std::string message = dse::test::error_message<ProgramError>(
        [&] { (void)table("my_product: {flops: in0 - 100}").cost(program, r); });
    EXPECT_NE(message.find(fmt::format("line {}: 'my_product' takes -36 FLOPs, by 'in0 - 100' (", r.line)),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("costs.yaml:1:21), for (f32[4,16], bf16[16,8]) -> (f32[4,8], u8[9]): at least 0"),
              std::string::npos)
        << message;
}

// Of 64 elements less 64 there is no quotient and no logarithm.
TEST(ForeignCosts, NothingTakesWhatIsNoNumber) {
    const Program program = hlo_instructions(call);
    const auto refusal = [&](const std::string& text) {
        return dse::test::error_message<ProgramError>(
            [&] { (void)table(text).cost(program, labelled(program, "r")); });
    };
    EXPECT_NE(refusal("my_product: {flops: in0 / (in0 - 64)}").find("takes no finite number of FLOPs"),
              std::string::npos);
    EXPECT_NE(refusal("my_product:\n  flops: 1\n  bytes: log2(in0 - 64)\n").find("costs.yaml:3:10"),
              std::string::npos);
}

TEST(ForeignCosts, OfSizesThatTheTextDoesNotSayAFormulaSaysNothing) {
    const Program program = hlo_instructions(
        "x = f32[?] parameter(0)\nr = f32[8] custom-call(x), custom_call_target=\"my_product\"");
    EXPECT_FALSE(table("my_product: {flops: in0 - 100}").cost(program, labelled(program, "r")));
    EXPECT_EQ(table("my_product: {flops: 3 * out}").cost(program, labelled(program, "r"))->foreign_flops, 24);
}

TEST(ForeignCosts, AreRequiredOfEveryCall) {
    const Program program = hlo_instructions(call);
    EXPECT_NO_THROW(require_costs(program, table("my_product: {flops: in0 - 64}")));
    EXPECT_THROW(require_costs(program, table("my_product: {flops: in0 - 65}")), ProgramError);
}

TEST(ForeignCosts, TheUsersTableGoesFirst) {
    const Program program =
        hlo_instructions("x = f32[8] parameter(0)\nr = f32[8] custom-call(x), custom_call_target=\"TopK\"");
    EXPECT_EQ(table("TopK: {flops: 3 * in0}").cost(program, labelled(program, "r"))->foreign_flops, 24);
}

TEST(ForeignCosts, AFormulaOverWhatTheCallDoesNotHaveLeavesItUnknown) {
    EXPECT_FALSE(by_table("my_product: {flops: in2}"));
    EXPECT_FALSE(by_table("my_product: {flops: out_d2}"));
}

TEST(ForeignCosts, MistakesOfATableComeWithTheirPlaces) {
    const std::string message = dse::test::error_message(
        [] { (void)table("a: {flop: 1}\nb: {flops: 2 * oout}\nc: {flops: in8}\n"); });
    EXPECT_NE(message.find("costs.yaml:1:"), std::string::npos) << message;
    EXPECT_NE(message.find("costs.yaml:2:"), std::string::npos) << message;
    EXPECT_NE(message.find("out"), std::string::npos) << message;
    EXPECT_NE(message.find("costs.yaml:3:"), std::string::npos) << message;
}

}  // namespace
}  // namespace dse::ir
