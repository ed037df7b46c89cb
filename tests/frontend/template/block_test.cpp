// Also tests: template/gradient_flow.cpp, template/weight_storage.cpp, template/conditions.cpp
#include "dse/frontend/template/block.hpp"

#include "frontend/template/gradient_flow.hpp"
#include "small_template.hpp"

namespace dse::frontend {
namespace {

using test::mlp_template;
using test::SmallTemplate;

std::string names(const Block& block, const std::vector<TensorId>& ids) {
    std::string text;
    for (const TensorId id : ids) text += (text.empty() ? "" : " ") + block.tensor(id).name;
    return text;
}

TEST(Block, HasWhatEntersWhatIsDeclaredAndWhatIsComputed) {
    SmallTemplate small(mlp_template);
    const Block block = small.block("layer");
    EXPECT_EQ(small.diagnostics.text(), "");
    std::string text;
    for (const Tensor& tensor : block.tensors) text += tensor.name + " ";
    EXPECT_EQ(text, "x w_norm w_up w_down a u g z y ");
    EXPECT_EQ(names(block, block.parameters()), "w_norm w_up w_down");
    EXPECT_EQ(block.tensor(*block.input).name, "x");
    EXPECT_EQ(block.tensor(*block.output).name, "y");
    EXPECT_EQ(names(block, block.selective), "a g");
    EXPECT_TRUE(block.recomputable);
    EXPECT_EQ(block.tensor(block.parameters()[0]).storage, Storage::parameter);
    EXPECT_FALSE(small.block("head").output.has_value());
    EXPECT_FALSE(small.block("head").recomputable);
}

TEST(Block, FirstOnesHaveNoInput) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  first:
    inputs:
      tokens: {shape: [b, s], storage: index}
    parameters:
      table: {shape: [v, h]}
    operators:
      - y = embedding(tokens, table)
    output: y
)");
    const Block block = small.block("first", SmallTemplate::Position::first);
    EXPECT_EQ(small.diagnostics.text(), "");
    EXPECT_FALSE(block.input.has_value());
    // After another block, what enters it is for nothing.
    small.block("first");
    EXPECT_NE(small.diagnostics.text().find("nothing reads 'x'"), std::string::npos);
}

TEST(Block, ConditionsChooseLinesAndParameters) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    parameters:
      w: {shape: [h], when: attention == 'flash'}
    operators:
      - when: attention == 'flash'
        operators:
          - a = rms_norm(x, w)
          - when: sequence_parallel
            operators:
              - y = gelu(a)
          - when: not sequence_parallel
            operators:
              - y = dropout(a)
      - when: attention != 'flash'
        operators:
          - y = gelu(x)
    output: y
)");
    EXPECT_EQ(small.block("layer").operations.size(), 2U);
    EXPECT_EQ(small.block("layer").operations[1].kind, "gelu");
    small.options.sequence_parallel = false;
    EXPECT_EQ(small.block("layer").operations[1].kind, "dropout");
    small.options.stack.attention = graph::Attention::unfused;
    EXPECT_EQ(small.block("layer").operations.size(), 1U);
    EXPECT_TRUE(small.block("layer").parameters().empty());
    EXPECT_EQ(small.diagnostics.text(), "");
}

TEST(Block, OneBrokenLineIsOneError) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    operators:
      - a = gelu(q)
      - c = gelu(a)
      - y = add(c, a)
    output: y
)");
    small.block("layer");
    EXPECT_EQ(small.diagnostics.error_count(), 1U) << small.diagnostics.text();
    EXPECT_NE(small.diagnostics.text().find("small.yaml:7:"), std::string::npos) << small.diagnostics.text();
}

TEST(GradientFlow, RunsFromTheOutputAndTheLossesToWhatIsTrained) {
    SmallTemplate small(mlp_template);
    const Block layer = small.block("layer");
    const GradientFlow flow = gradient_flow(layer);
    EXPECT_EQ(flow.runs, std::vector<bool>(5, true));
    EXPECT_EQ(flow.arrives, std::vector<bool>(9, true));
    const Block head = small.block("head");
    // logits and the loss; a row's statistic has no gradient.
    EXPECT_EQ(gradient_flow(head).runs, (std::vector<bool>{true, false, true}));
}

TEST(GradientFlow, WhatOnlyIndicesFeedHasNone) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  layer:
    inputs:
      bias: {shape: [b, s, h]}
    operators:
      - g = gelu(bias)
      - y = add(x, g)
    output: y
)");
    const Block block = small.block("layer");
    EXPECT_EQ(small.diagnostics.text(), "");
    EXPECT_EQ(gradient_flow(block).runs, (std::vector<bool>{false, true}));
    EXPECT_EQ(SmallTemplate::steps(small.plan(block, {}).backward), "");
}

TEST(GradientFlow, RefusesWhatNoGradientReaches) {
    SmallTemplate small(R"(
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  head:
    parameters:
      w: {shape: [h, v]}
    operators:
      - logits = einsum("bsh,hv->bsv", x, w)
      - top = row_statistic(logits)
      - last = row_statistic(logits, top)
)");
    small.block("head");
    const std::string errors = small.diagnostics.text();
    EXPECT_NE(errors.find("nothing reads 'last'"), std::string::npos) << errors;
    EXPECT_NE(errors.find("no gradient reaches 'w'"), std::string::npos) << errors;
    EXPECT_NE(errors.find("no gradient reaches 'x'"), std::string::npos) << errors;
}

}  // namespace
}  // namespace dse::frontend
