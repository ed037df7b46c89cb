#include "ir/program/fused_attention.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

TEST(FusedAttention, IsNamedByItsTarget) {
    const auto ours = fused_attention("dse.flash_attention_backward");
    ASSERT_TRUE(ours.has_value());
    EXPECT_EQ(ours->pass, FusedAttention::Pass::backward);
    EXPECT_EQ(ours->order, FusedAttention::Order::sequence_first);
    EXPECT_EQ(FusedAttention::sequence(ours->order), 1U);
    EXPECT_EQ(FusedAttention::heads(ours->order), 2U);
    const auto cudnn = fused_attention("__cudnn$fmhaSoftmax");
    ASSERT_TRUE(cudnn.has_value());
    EXPECT_EQ(cudnn->pass, FusedAttention::Pass::forward);
    EXPECT_EQ(cudnn->order, FusedAttention::Order::heads_first);
    EXPECT_EQ(FusedAttention::sequence(cudnn->order), 2U);
    EXPECT_FALSE(fused_attention("te_fused_attn_forward_ffi").has_value());
    EXPECT_FALSE(fused_attention("TopK").has_value());
}

// The dimension numbers that JAX states for BTNH and BNTH: heads are the second batch dimension of queries,
// which are on the left forwards and on the right of the product that makes the gradient of keys. Results
// are [B, N, T, H] in both.
TEST(FusedAttention, OfCudnnLiesAsItsDimensionNumbersSay) {
    using Order = FusedAttention::Order;
    const auto forward = [](std::string_view heads) {
        return fused_attention(
            "__cudnn$fmhaSoftmax",
            fmt::format(R"("bmm1_dot_dimension_numbers": {{"lhs_contracting_dimensions": ["3"], )"
                        R"("rhs_contracting_dimensions": ["3"], "lhs_batch_dimensions": ["0", "{0}"], )"
                        R"("rhs_batch_dimensions": ["0", "{0}"]}}, "bmm2_dot_dimension_numbers": {{)"
                        R"("lhs_batch_dimensions": ["0", "1"]}})",
                        heads));
    };
    EXPECT_EQ(forward("2")->order, Order::sequence_first);
    EXPECT_EQ(forward("1")->order, Order::heads_first);
    EXPECT_EQ(forward("2")->result_order, Order::heads_first);
    const auto backward =
        fused_attention("__cudnn$fmhaSoftmaxBackward",
                        R"("bmm1_grad_gemm1_dot_dimension_numbers": {"lhs_contracting_dimensions": ["2"], )"
                        R"("rhs_contracting_dimensions": ["1"], "lhs_batch_dimensions": ["0", "1"], )"
                        R"("rhs_batch_dimensions": ["0", "2"]})");
    EXPECT_EQ(backward->pass, FusedAttention::Pass::backward);
    EXPECT_EQ(backward->order, Order::sequence_first);
}

TEST(FusedAttention, OfCompositesIsTheirName) {
    test::ProgramMaker maker;
    maker.open_entry();
    const auto composite = [&](std::string_view target) {
        return is_attention_composite(maker.program,
                                      maker.many(Opcode::composite, {maker.bf16({2})}, {},
                                                 ForeignCall{maker.builder.name(target), no_name}));
    };
    EXPECT_TRUE(composite("odml.scaled_dot_product_attention"));
    EXPECT_FALSE(composite("chlo.top_k"));
}

TEST(FusedAttention, SaysWhetherItIsCausal) {
    EXPECT_TRUE(hides_later_keys("{causal = true}"));
    EXPECT_TRUE(hides_later_keys("\"mask_type\": \"CAUSAL\""));
    EXPECT_FALSE(hides_later_keys("{causal = false}"));
}

}  // namespace
}  // namespace dse::ir
