#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

/// The product reads what dropout left of x; the gradient of x is the product's, times the mask.
TEST(Einsum, OfDroppedOutTensorGivesTheGradientOfTheWholeOne) {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.declare("d", {"b", "s", "h"});
    line.declare("m", {"b", "s", "h"});
    line.parameter("w", {"h", "f"});
    const auto operation = line.read("y = dropped_einsum(\"bsh,ho->bso\", x, d, m, w)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.model_flop(operation->forward), 1280);  // 2 · (2·4) · 10 · 8
    EXPECT_EQ(line.uses(operation->forward.reads), "d w");
    ASSERT_EQ(operation->backward.size(), 2U);
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y w m");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x*3") << "another pass multiplies it by the mask";
    EXPECT_EQ(line.uses(operation->backward[1].reads), "d d_y");
    EXPECT_EQ(line.uses(operation->backward[1].writes), "d_w*2");
    EXPECT_TRUE(operation->backward[1].weight_gradient);
}

TEST(Einsum, IsAMatrixProductWithThreePasses) {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.parameter("w", {"h", "f"});
    const auto operation = line.read("y = einsum(\"bsh,ho->bso\", x, w)");
    ASSERT_TRUE(operation) << line.errors();
    ASSERT_EQ(operation->results.size(), 1U);
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 10}));
    EXPECT_EQ(operation->results[0].letters, "bso");
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.m), "bs");
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.n), "o");
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.k), "h");
    // 2 · (2·4) · 10 · 8.
    EXPECT_EQ(line.model_flop(operation->forward), 1280);
    EXPECT_EQ(line.executed_flop(operation->forward), 1280);
    EXPECT_EQ(line.uses(operation->forward.reads), "x w");
    EXPECT_EQ(line.uses(operation->forward.writes), "y");

    ASSERT_EQ(operation->backward.size(), 2U);
    const Piece& to_input = operation->backward[0];
    EXPECT_FALSE(to_input.weight_gradient);
    EXPECT_EQ(OneLine::letters(to_input.gemm.m), "bs");
    EXPECT_EQ(OneLine::letters(to_input.gemm.n), "h");
    EXPECT_EQ(OneLine::letters(to_input.gemm.k), "o");
    EXPECT_EQ(line.model_flop(to_input), 1280);
    EXPECT_EQ(line.uses(to_input.reads), "d_y w");
    EXPECT_EQ(line.uses(to_input.writes), "d_x");
    const Piece& to_weight = operation->backward[1];
    EXPECT_TRUE(to_weight.weight_gradient);
    EXPECT_EQ(OneLine::letters(to_weight.gemm.m), "h");
    EXPECT_EQ(OneLine::letters(to_weight.gemm.n), "o");
    EXPECT_EQ(OneLine::letters(to_weight.gemm.k), "bs");
    EXPECT_EQ(line.model_flop(to_weight), 1280);
    EXPECT_EQ(line.uses(to_weight.reads), "x d_y");
    EXPECT_EQ(line.uses(to_weight.writes), "d_w*2") << "a parameter's gradient is accumulated";
}

TEST(Einsum, KeepsBatchLettersApart) {
    OneLine line;
    line.declare("q", {"b", "n", "s", "d"});
    line.declare("k", {"b", "n", "s", "d"});
    const auto operation = line.read("y = einsum(\"bnsd,bntd->bnst\", q, k)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.batch), "bn");
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.m), "s");
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.n), "t");
    EXPECT_EQ(OneLine::letters(operation->forward.gemm.k), "d");
    // 2 · (2·4) · 4 · 4 · 3.
    EXPECT_EQ(line.model_flop(operation->forward), 768);
    EXPECT_FALSE(operation->backward[0].weight_gradient);
    EXPECT_FALSE(operation->backward[1].weight_gradient);
}

TEST(Einsum, RefusesWhatIsNoProduct) {
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {"bsh->bso", "is not a product of two tensors"},
             {"bsh,ho", "is not a product of two tensors"},
             {"bSh,ho->bSo", "lower-case letters"},
             {"bsh,hh->bs", "each once"},
             {"bsh,ho->bs", "'o' occurs in only one tensor"},
             {"bsh,ho->bsoz", "'z' of the result occurs in neither tensor"},
             {"bs,ho->bo", "'x' has 3 dimensions, but 'bs' names 2"},
             {"bsh,so->bo", "dimension 0 ('s') of 'w' is h = 8, but s = 4 is needed"}}) {
        OneLine line;
        line.declare("x", {"b", "s", "h"});
        line.parameter("w", {"h", "f"});
        EXPECT_FALSE(line.read("y = einsum(\"" + text + "\", x, w)")) << text;
        EXPECT_NE(line.errors().find(reason), std::string::npos) << text << ": " << line.errors();
    }
}

}  // namespace
}  // namespace dse::frontend
