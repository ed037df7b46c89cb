#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

OneLine with_vectors() {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.parameter("w", {"h"});
    line.parameter("c", {"h"});
    return line;
}

TEST(Normalization, RmsNormReadsItsInputAgain) {
    OneLine line = with_vectors();
    const auto operation = line.read("y = rms_norm(x, w)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->forward.op_class, graph::OpClass::normalization);
    EXPECT_EQ(line.uses(operation->forward.reads), "x w");
    EXPECT_EQ(line.uses(operation->backward[0].reads), "x w d_y");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_w");
    EXPECT_EQ(operation->whole, "c") << "the last dimension is normalised: whole on every device";
    EXPECT_EQ(operation->operands[1].letters, "c");
    EXPECT_EQ(line.model_flop(operation->forward), 0) << "model FLOPs are those of matrix products";
}

/// 36 and 76 bytes an element, where one kernel moves 4 and 6; Triton's moves these.
TEST(Normalization, RmsNormOperatorByOperatorIsOf32Bits) {
    OneLine line = with_vectors();
    const auto operators = line.read("y = rms_norm(x, w)");
    const auto fused = line.read("z = rms_norm(x, w, fused=true)");
    ASSERT_TRUE(operators && fused) << line.errors();
    EXPECT_EQ(operators->forward.eager_passes, 9.0);
    EXPECT_EQ(operators->backward[0].eager_passes, 12.7);
    EXPECT_EQ(fused->forward.eager_passes, 0.0);
    EXPECT_EQ(fused->forward.eager_kernels, 1);
    EXPECT_EQ(fused->backward[0].eager_kernels, 2);
}

/// Autograd keeps the input in 32 bits and what the weight multiplies, whose traffic is that of eager_passes.
TEST(Normalization, RmsNormOperatorByOperatorKeepsItsIntermediateResults) {
    OneLine line = with_vectors();
    line.stack.compiled = false;
    const auto wide = line.read("y = rms_norm(x, w)");
    const auto fused = line.read("u = rms_norm(x, w, fused=true)");
    ASSERT_TRUE(wide && fused) << line.errors();
    EXPECT_EQ(line.uses(wide->backward[0].reads), "x w d_y y.wide*0 y.normalized*0");
    EXPECT_EQ(line.uses(fused->backward[0].reads), "x w d_u");
}

/// Nothing is multiplied by its result that has a gradient; what is not cast is kept as its square.
TEST(Normalization, KeepsNoResultForAFrozenWeightAndNoCastOfNarrowNorms) {
    OneLine line = with_vectors();
    line.stack.compiled = false;
    const auto trained = line.read("y = rms_norm(x, w, narrow=true)");
    line.tensors[1].frozen = true;
    const auto narrow = line.read("u = rms_norm(x, w, narrow=true)");
    const auto wide = line.read("z = rms_norm(x, w)");
    ASSERT_TRUE(trained && narrow && wide) << line.errors();
    EXPECT_EQ(line.uses(trained->backward[0].reads), "x w d_y y.square*0 y.normalized*0");
    EXPECT_EQ(line.uses(narrow->backward[0].reads), "x w d_u u.square*0");
    EXPECT_EQ(line.uses(wide->backward[0].reads), "x w d_z z.wide*0");
    EXPECT_EQ(narrow->forward.eager_passes, 3.5) << "14 bytes an element, where one kernel moves 4";
    EXPECT_EQ(narrow->backward[0].eager_passes, 9.0) << "54 where one kernel moves 6";
    EXPECT_FALSE(line.read("v = rms_norm(x, w, fused=true, narrow=true)")) << "one kernel casts nothing";
}

TEST(Normalization, NormsOf32BitsAreNotCast) {
    OneLine line = with_vectors();
    line.stack.compiled = false;
    line.stack.precision = graph::Precision::fp32;
    const auto operation = line.read("y = rms_norm(x, w)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->backward[0].reads), "x w d_y y.normalized*0");
}

TEST(Normalization, LayerNormHasTwoVectors) {
    OneLine line = with_vectors();
    const auto operation = line.read("y = layer_norm(x, w, c)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_w d_c");
}

TEST(Normalization, SoftmaxNeedsOnlyItsResult) {
    OneLine line;
    line.declare("a", {"b", "n", "s", "s"});
    const auto operation = line.read("p = softmax(a)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->forward.op_class, graph::OpClass::softmax);
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_p p");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_a");
    EXPECT_EQ(operation->whole, "d");
}

TEST(Normalization, RefusesVectorsOfAnotherLength) {
    OneLine line = with_vectors();
    line.parameter("u", {"f"});
    EXPECT_FALSE(line.read("y = rms_norm(x, u)"));
    EXPECT_NE(line.errors().find("'u' is f = 10, but h = 8 is needed"), std::string::npos) << line.errors();
    OneLine scalar;
    scalar.declare("x", {});
    scalar.parameter("w", {"h"});
    EXPECT_FALSE(scalar.read("y = rms_norm(x, w)"));
    EXPECT_FALSE(scalar.read("z = softmax(x)"));
}

TEST(JoinedNorm, PutsTwoTensorsSideBySide) {
    OneLine line = with_vectors();
    line.declare("e", {"b", "s", "h"});
    const auto operation = line.read("y = joined_norm(x, e, w, c)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 16}));
    EXPECT_EQ(operation->whole, "h");
    EXPECT_EQ(line.uses(operation->backward[0].reads), "x e w c d_y");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_e d_w d_c");
    EXPECT_FALSE(line.read("z = joined_norm(x, e, w)"));
}

/// Each device's own samples make the statistics, so that they may be split; its pass over them comes first.
TEST(Normalization, OfABatchIsByChannel) {
    OneLine line;
    line.declare("x", {"b", "f", "f", "h"});
    line.parameter("w", {"h"});
    line.parameter("c", {"h"});
    const auto operation = line.read("y = batch_norm(x, w, c)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 10, 10, 8}));
    EXPECT_EQ(operation->operands[1].letters, operation->operands[0].letters.substr(3));
    EXPECT_EQ(operation->whole, "");
    EXPECT_EQ(line.uses(operation->forward.reads), "x*2 w c");
    EXPECT_EQ(line.uses(operation->backward[0].reads), "x*2 d_y*2 w");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_w d_c");
}

/// 4 query heads and 2 key heads of 8 in all are normalised: three quarters of the projection move.
/// Where keys are also values, the projection is one of (4 + 2)·3 = 18 and all of it is normalized.
TEST(HeadNorm, NormalizesAllOfAProjectionWithoutValues) {
    OneLine line;
    line.declare("qk", {"b", "s", "(n + k)*d"});
    line.parameter("w_q", {"d"});
    line.parameter("w_k", {"d"});
    const auto operation =
        line.read("y = head_norm(qk, w_q, w_k, heads=n, kv_heads=k, head_dim=d, values=false)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 18}));
    EXPECT_EQ(operation->forward.reads[0].passes, 1.0);
    EXPECT_FALSE(line.read("z = head_norm(qk, w_q, w_k, heads=n, kv_heads=k, head_dim=d)"));
    EXPECT_FALSE(line.read("z = head_norm(qk, w_q, w_k, heads=k, kv_heads=k, head_dim=d, values=false)"));
    EXPECT_NE(line.errors().find("is 18, but (heads + kv_heads) head_dim is 12"), std::string::npos)
        << line.errors();
}

TEST(HeadNorm, LeavesTheValuesAlone) {
    OneLine line;
    line.declare("qkv", {"b", "s", "(n + 2*k)*d"});
    line.parameter("w_q", {"d"});
    line.parameter("w_k", {"d"});
    const auto operation = line.read("y = head_norm(qkv, w_q, w_k, heads=n, kv_heads=k, head_dim=d)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 24}));
    EXPECT_EQ(operation->forward.reads[0].passes, 0.75);
    EXPECT_EQ(operation->forward.writes[0].passes, 0.75);
    ASSERT_EQ(operation->backward.size(), 1U);
    EXPECT_EQ(operation->backward[0].writes.size(), 3U) << "d_qkv, d_w_q, d_w_k";
    EXPECT_EQ(OneLine::letters(operation->indivisible), "o") << "whole heads, of keys as well";

    EXPECT_FALSE(line.read("z = head_norm(qkv, w_q, w_k, heads=n, kv_heads=k, head_dim=n)"));
    EXPECT_NE(line.errors().find("head_norm: the length of a norm is d = 3, but n = 4 is needed"),
              std::string::npos)
        << line.errors();
    EXPECT_FALSE(line.read("z = head_norm(qkv, w_q, w_k, heads=k, kv_heads=k, head_dim=d)"));
    EXPECT_NE(
        line.errors().find("the last dimension of 'qkv' is 24, but (heads + 2 kv_heads) head_dim is 18"),
        std::string::npos)
        << line.errors();
}

}  // namespace
}  // namespace dse::frontend
