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
    EXPECT_EQ(operation->forward.op_class, workload::OpClass::normalization);
    EXPECT_EQ(line.uses(operation->forward.reads), "x w");
    EXPECT_EQ(line.uses(operation->backward[0].reads), "x w d_y");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_w");
    EXPECT_EQ(operation->whole, "c") << "the last dimension is normalised: whole on every device";
    EXPECT_EQ(operation->operands[1].letters, "c");
    EXPECT_EQ(line.model_flop(operation->forward), 0) << "model FLOPs are those of matrix products";
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
    EXPECT_EQ(operation->forward.op_class, workload::OpClass::softmax);
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

}  // namespace
}  // namespace dse::frontend
