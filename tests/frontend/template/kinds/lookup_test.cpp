#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

/// 2 samples with 10 ids into 12 rows of 8 numbers; 4 bags.
OneLine tables(const std::vector<std::string>& ids, const std::vector<std::string>& table) {
    OneLine line;
    line.declare("ids", ids, TensorRole::input, Storage::index);
    line.parameter("table", table);
    line.tensors.back().sparse = true;
    return line;
}

/// A row of 2 bytes a number read for each id; updated: read and written, with an fp32 number beside it.
TEST(EmbeddingBag, TouchesTheRowsThatArePicked) {
    OneLine line = tables({"b", "f"}, {"v", "h"});
    const auto operation = line.read("y = embedding_bag(ids, table, bags=n)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 8}));
    EXPECT_EQ(operation->forward.op_class, graph::OpClass::embedding);
    ASSERT_EQ(operation->forward.traffic.size(), 1U);
    EXPECT_EQ(line.product(operation->forward.traffic[0].extents), 2 * 10 * 8);
    EXPECT_EQ(operation->forward.traffic[0].passes, 1.0);
    ASSERT_EQ(operation->backward.size(), 1U);
    ASSERT_EQ(operation->backward[0].traffic.size(), 2U);
    EXPECT_EQ(operation->backward[0].traffic[0].passes, 2.0);
    EXPECT_EQ(line.product(operation->backward[0].traffic[1].extents), 2 * 10) << "a number a row";
    EXPECT_EQ(operation->backward[0].traffic[1].storage, Storage::full);
}

/// Ids lie as rows do; samples come from one folding of the devices and go back to it.
TEST(EmbeddingBag, GoesToTheTablesAndBack) {
    OneLine line = tables({"b", "f"}, {"v", "h"});
    const auto operation = line.read("y = embedding_bag(ids, table, bags=n)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(operation->operands[0].letters, "bR");
    EXPECT_EQ(operation->operands[1].letters, "rd");
    EXPECT_EQ(operation->results[0].letters, "btd") << "no row: a partial sum where rows are split";
    ASSERT_EQ(line.views.size(), 2U);
    for (const Operation& view : line.views) ASSERT_TRUE(view.refolding.has_value());
    EXPECT_EQ(line.tensor(line.views[0].results[0].tensor).name, "ids.sent");
    EXPECT_EQ(line.tensor(line.views[0].results[0].tensor).role, TensorRole::computed)
        << "kept for the backward pass, not sent again";
    EXPECT_EQ(line.tensor(line.views[1].results[0].tensor).name, "y");
    OneLine whole = tables({"b", "n", "f"}, {"n", "v", "h"});
    const auto bags = whole.read("y = embedding_bag(ids, table)");
    ASSERT_TRUE(bags) << whole.errors();
    EXPECT_EQ(bags->operands[0].letters, "btR");
    EXPECT_EQ(bags->operands[1].letters, "trd");
    EXPECT_EQ(bags->results[0].letters, "btd") << "whole tables lie as their sums do";
}

TEST(EmbeddingBag, RefusesOtherShapes) {
    OneLine line = tables({"b", "f"}, {"n", "v", "h"});
    EXPECT_FALSE(line.read("y = embedding_bag(ids, table)"));
    EXPECT_NE(line.errors().find("not 2 and 3 dimensions"), std::string::npos) << line.errors();
    OneLine dense = tables({"b", "f"}, {"v", "h"});
    dense.tensors.back().sparse = false;
    EXPECT_FALSE(dense.read("y = embedding_bag(ids, table, bags=n)"));
    EXPECT_NE(dense.errors().find("'table' with sparse: true"), std::string::npos) << dense.errors();
    OneLine bags = tables({"b", "k", "f"}, {"n", "v", "h"});
    EXPECT_FALSE(bags.read("y = embedding_bag(ids, table)"));
    EXPECT_NE(bags.errors().find("the number of bags is k = 2, but n = 4 is needed"), std::string::npos)
        << bags.errors();
}

OneLine features() {
    OneLine line;
    line.declare("dense", {"b", "h"});
    line.declare("pooled", {"b", "n", "h"});
    return line;
}

/// 5 features of 8: 10 pairs are asked for, 25 products made. 2 samples: 2 · 2 · 8 · 10 = 320, 800.
TEST(Interaction, IsOverPairs) {
    OneLine line = features();
    const auto operation = line.read("y = interaction(dense, pooled)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 10 + 8}));
    EXPECT_DOUBLE_EQ(line.model_flop(operation->forward), 320);
    EXPECT_EQ(line.executed_flop(operation->forward), 800);
    EXPECT_DOUBLE_EQ(line.model_flop(operation->backward[0]), 640);
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_dense d_pooled");
}

TEST(JoinFeatures, LiesSideBySide) {
    OneLine line = features();
    const auto operation = line.read("y = join_features(dense, pooled)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 5 * 8}));
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y");
    line.declare("thin", {"b", "n", "k"});
    EXPECT_FALSE(line.read("z = join_features(dense, thin)"));
    EXPECT_NE(line.errors().find("'thin' is k = 2, but h = 8 is needed"), std::string::npos) << line.errors();
}

/// The first layer's x is x0 itself.
TEST(Cross, AddsWhatCameIn) {
    OneLine line;
    for (const char* name : {"x0", "z", "x"}) line.declare(name, {"b", "h"});
    const auto operation = line.read("y = cross(x0, z, x)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y x0 z");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x0 d_z");
    EXPECT_EQ(operation->passes_gradient, (std::vector<std::size_t>{2}));
    EXPECT_TRUE(line.read("first = cross(x0, z, x0)")) << line.errors();
    line.declare("row", {"b"});
    EXPECT_FALSE(line.read("q = cross(x0, row, x)"));
    EXPECT_NE(line.errors().find("different numbers of dimensions"), std::string::npos) << line.errors();
}

}  // namespace
}  // namespace dse::frontend
