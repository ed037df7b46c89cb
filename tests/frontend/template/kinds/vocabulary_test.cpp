#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

TEST(Vocabulary, EmbeddingTouchesOnlyTheRowsItNeeds) {
    OneLine line;
    line.declare("tokens", {"b", "s"}, TensorRole::input, Storage::index);
    line.parameter("table", {"v", "h"});
    const auto operation = line.read("y = embedding(tokens, table)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4, 8}));
    EXPECT_EQ(operation->forward.op_class, graph::OpClass::embedding);
    EXPECT_EQ(line.uses(operation->forward.reads), "tokens table*0") << "rows, not the table";
    EXPECT_EQ(line.uses(operation->forward.writes), "y*2") << "rows read, rows written";
    ASSERT_EQ(operation->backward.size(), 1U);
    EXPECT_TRUE(operation->backward[0].weight_gradient);
    EXPECT_EQ(line.uses(operation->backward[0].reads), "tokens d_y*3");
    // The vocabulary stands in the table alone: with it split, the result is a partial sum.
    EXPECT_EQ(operation->operands[1].letters, "vh");
    EXPECT_EQ(operation->results[0].letters, "bsh");
}

TEST(Vocabulary, EmbeddingNeedsIndices) {
    OneLine line;
    line.declare("tokens", {"b", "s"});
    line.parameter("table", {"v", "h"});
    EXPECT_FALSE(line.read("y = embedding(tokens, table)"));
    EXPECT_NE(line.errors().find("'tokens' does not contain indices"), std::string::npos) << line.errors();
}

TEST(Vocabulary, RowStatisticsAreOneFp32NumberARow) {
    OneLine line;
    line.declare("logits", {"b", "s", "v"});
    const auto top = line.read("top = row_statistic(logits)");
    const auto total = line.read("total = row_statistic(logits, top)");
    ASSERT_TRUE(top && total) << line.errors();
    EXPECT_EQ(line.shape(top->results[0].tensor), (std::vector<double>{2, 4}));
    EXPECT_EQ(line.tensor(top->results[0].tensor).storage, Storage::full);
    EXPECT_TRUE(top->backward.empty());
    EXPECT_FALSE(top->is_loss());
    EXPECT_EQ(line.uses(total->forward.reads), "logits top");
}

TEST(Vocabulary, CrossEntropyIsWhereGradientsStart) {
    OneLine line;
    line.declare("logits", {"b", "s", "v"});
    const auto loss = line.read("l = cross_entropy(logits)");
    ASSERT_TRUE(loss) << line.errors();
    EXPECT_TRUE(loss->is_loss());
    EXPECT_EQ(line.uses(loss->backward[0].reads), "l.probabilities");
    EXPECT_EQ(line.uses(loss->backward[0].writes), "d_logits");
    EXPECT_EQ(line.tensor(loss->results[1].tensor).storage, Storage::full);
}

/// Bytes a logit, both passes: 44 operator by operator, 12 on logits of 16 bits, 24 compiled, 14 in one
/// kernel.
TEST(Vocabulary, LossTrafficFollowsTheKernel) {
    for (const auto& [kernel, bytes] : {std::pair{graph::LossKernel::unfused, 44.0},
                                        {graph::LossKernel::narrow, 12.0},
                                        {graph::LossKernel::compiled, 24.0},
                                        {graph::LossKernel::staged, 32.0},
                                        {graph::LossKernel::in_place, 44.0},
                                        {graph::LossKernel::shifted, 44.0},
                                        {graph::LossKernel::fused, 14.0}}) {
        OneLine line;
        line.stack.loss = kernel;
        line.declare("logits", {"b", "s", "v"});
        const auto loss = line.read("l = cross_entropy(logits)");
        ASSERT_TRUE(loss) << line.errors();
        EXPECT_EQ(loss->forward.bytes_per_element + loss->backward[0].bytes_per_element, bytes);
    }
}

/// Casts and copies around the kernel come on top of its own 14 bytes.
TEST(Vocabulary, OperatorsBesideTheLossAddTheirBytes) {
    OneLine line;
    line.stack.loss = graph::LossKernel::fused;
    line.stack.logit_bytes = 30.0;
    line.declare("logits", {"b", "s", "v"});
    const auto loss = line.read("l = cross_entropy(logits)");
    ASSERT_TRUE(loss) << line.errors();
    EXPECT_EQ(loss->forward.bytes_per_element + loss->backward[0].bytes_per_element, 44.0);
}

TEST(Vocabulary, AFusedLossKeepsTheLogitsAlone) {
    OneLine line;
    line.stack.loss = graph::LossKernel::fused;
    line.declare("logits", {"b", "s", "v"});
    const auto loss = line.read("l = cross_entropy(logits)");
    ASSERT_TRUE(loss) << line.errors();
    EXPECT_TRUE(loss->is_loss());
    EXPECT_EQ(loss->results.size(), 1U);
    EXPECT_EQ(line.uses(loss->forward.writes), "l");
    EXPECT_EQ(line.uses(loss->backward[0].reads), "logits");
    EXPECT_EQ(line.uses(loss->backward[0].writes), "d_logits");
}

/// Megatron-LM replaces one copy of four bytes again and again, up to core 0.7 beside a first; PyTorch's
/// operators have up to three of them.
TEST(Vocabulary, ALossInPlaceNeedsNoMoreThanItKeeps) {
    for (const auto& [kernel, forward, backward] : {std::tuple{graph::LossKernel::in_place, 0.0, 0.0},
                                                    {graph::LossKernel::shifted, 4.0, 0.0},
                                                    {graph::LossKernel::unfused, 4.0, 6.0}}) {
        OneLine line;
        line.stack.loss = kernel;
        line.declare("logits", {"b", "s", "v"});
        const auto loss = line.read("l = cross_entropy(logits)");
        ASSERT_TRUE(loss) << line.errors();
        EXPECT_EQ(line.tensor(loss->results[1].tensor).storage, Storage::full);
        EXPECT_EQ(loss->forward.workspace_per_element, forward);
        EXPECT_EQ(loss->backward[0].workspace_per_element, backward);
    }
}

/// Logits that stay in 16 bits are kept so, and their log-softmax has a gradient of two bytes.
TEST(Vocabulary, ANarrowLossKeepsSixteenBits) {
    OneLine line;
    line.stack.loss = graph::LossKernel::narrow;
    line.declare("logits", {"b", "s", "v"});
    const auto loss = line.read("l = cross_entropy(logits)");
    ASSERT_TRUE(loss) << line.errors();
    EXPECT_EQ(line.tensor(loss->results[1].tensor).storage, Storage::activation);
    EXPECT_EQ(loss->forward.workspace_per_element, 0.0);
    EXPECT_EQ(loss->backward[0].workspace_per_element, 2.0);
}

/// In fp32, 24 bytes a logit (6 of 4) and a gradient of 4, of logits that are not cast under either name; in
/// fp8, the logits have 16 bits.
TEST(Vocabulary, ALossOperatorByOperatorCountsTheBitsOfItsPrecision) {
    for (const auto& [kernel, precision, bytes] :
         {std::tuple{graph::LossKernel::narrow, graph::Precision::fp32, 4.0},
          {graph::LossKernel::unfused, graph::Precision::fp32, 4.0},
          {graph::LossKernel::narrow, graph::Precision::fp8, 2.0},
          {graph::LossKernel::narrow, graph::Precision::fp16, 2.0}}) {
        OneLine line;
        line.stack.loss = kernel;
        line.stack.precision = precision;
        line.declare("logits", {"b", "s", "v"});
        const auto loss = line.read("l = cross_entropy(logits)");
        ASSERT_TRUE(loss) << line.errors();
        EXPECT_EQ(loss->forward.bytes_per_element + loss->backward[0].bytes_per_element, 6 * bytes);
        EXPECT_EQ(loss->backward[0].workspace_per_element, bytes);
    }
}

TEST(Vocabulary, LogitsAreOfTokensOrOfSamples) {
    OneLine line;
    line.declare("logits", {"b", "v"});
    const auto loss = line.read("l = cross_entropy(logits)");
    ASSERT_TRUE(loss) << line.errors();
    EXPECT_EQ(line.shape(loss->results[0].tensor), (std::vector<double>{2})) << "one answer a sample";
    EXPECT_EQ(line.shape(loss->results[1].tensor), (std::vector<double>{2, 12}));
    line.declare("rows", {"v"});
    EXPECT_FALSE(line.read("t = row_statistic(rows)"));
    EXPECT_FALSE(line.read("m = cross_entropy(rows)"));
    EXPECT_FALSE(line.read("n = cross_entropy()"));
    EXPECT_NE(line.errors().find("two or three dimensions"), std::string::npos);
    EXPECT_NE(line.errors().find("needs the logits"), std::string::npos);
}

TEST(Vocabulary, InferenceDrawsATokenOfAWholeRow) {
    OneLine line;
    line.mode = graph::Mode::decode;
    line.declare("logits", {"b", "s", "v"});
    const auto operation = line.read("loss = cross_entropy(logits)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.tensor(operation->results[0].tensor).storage, Storage::index);
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 4}));
    EXPECT_EQ(operation->whole, "v") << "a split vocabulary is gathered";
    EXPECT_EQ(line.uses(operation->forward.reads), "logits");
    EXPECT_TRUE(operation->backward.empty());
}

}  // namespace
}  // namespace dse::frontend
