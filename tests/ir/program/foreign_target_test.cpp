#include "ir/program/foreign_target.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(ForeignTarget, IsKnownByHowItBegins) {
    using Order = FusedAttention::Order;
    EXPECT_EQ(foreign_target("__cudnn$fmhaSoftmaxBackward").kind, ForeignKind::attention);
    EXPECT_EQ(foreign_target("odml.scaled_dot_product_attention").order, Order::sequence_first);
    EXPECT_EQ(foreign_target("aten.scaled_dot_product_attention.default").order, Order::heads_first);
    EXPECT_EQ(foreign_target("te_fused_attn_forward_ffi").kind, ForeignKind::other_attention);
    EXPECT_EQ(foreign_target("flash_attn._flash_attn_backward").kind, ForeignKind::other_attention);
    EXPECT_EQ(foreign_target("__cublas$lt$matmul$f8").kind, ForeignKind::product);
    EXPECT_EQ(foreign_target("__cudnn$convForward").kind, ForeignKind::convolution);
}

TEST(ForeignTarget, IsOtherWhereItsNameSaysNothing) {
    EXPECT_EQ(foreign_target("TopK").kind, ForeignKind::other);
    EXPECT_EQ(foreign_target("my__cublas$gemm").kind, ForeignKind::other);
    EXPECT_EQ(foreign_target("").kind, ForeignKind::other);
}

}  // namespace
}  // namespace dse::ir
