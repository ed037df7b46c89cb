#include "dse/ir/fused_attention.hpp"

#include <gtest/gtest.h>

#include "support/program_maker.hpp"

namespace dse::ir {
namespace {

TEST(FusedAttention, IsNamedByItsTarget) {
    const auto ours = fused_attention("dse.flash_attention_backward");
    ASSERT_TRUE(ours.has_value());
    EXPECT_EQ(ours->pass, FusedAttention::Pass::backward);
    EXPECT_EQ(ours->sequence(), 1U);
    EXPECT_EQ(ours->heads(), 2U);
    const auto cudnn = fused_attention("__cudnn$fmhaSoftmax");
    ASSERT_TRUE(cudnn.has_value());
    EXPECT_EQ(cudnn->pass, FusedAttention::Pass::forward);
    EXPECT_EQ(cudnn->sequence(), 2U);
    EXPECT_FALSE(fused_attention("te_fused_attn_forward_ffi").has_value());
    EXPECT_FALSE(fused_attention("TopK").has_value());
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
