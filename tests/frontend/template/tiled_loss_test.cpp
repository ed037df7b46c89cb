#include "frontend/template/tiled_loss.hpp"

#include <algorithm>
#include <stdexcept>

#include "small_structure.hpp"

namespace dse::frontend {
namespace {

using test::mlp_template;
using test::SmallTemplate;

/// Names of the tensors of which a tile is in memory at a time, and of the operations that run in tiles.
std::string tiled(const Block& block) {
    std::string text;
    for (const Tensor& tensor : block.tensors) text += tensor.in_memory < 1.0 ? tensor.name + " " : "";
    for (const Operation& operation : block.operations)
        text += operation.tiles > 1.0 ? "| " + block.tensor(operation.results.front().tensor).name + " " : "";
    return text;
}

const Step& step_of(const PassPlan& plan, std::string_view name) {
    for (const Step& step : plan.steps) {
        if (step.name == name) return step;
    }
    throw std::runtime_error("no step " + std::string(name));
}

/// The largest factor of a term: a product's parameters are read as often as there are tiles.
double passes(const Amount& amount) {
    double most = 0.0;
    for (const Amount::Term& term : amount.terms) most = std::max(most, term.factor);
    return most;
}

TEST(TiledLoss, LogitsAndWhatIsSavedOfTheirShapeAreThereTileByTile) {
    SmallTemplate small(mlp_template);
    small.options.stack.loss_tiles = 4;
    const Block head = small.block("head");
    EXPECT_EQ(tiled(head), "logits loss.probabilities | logits | top | loss ");
    for (const Tensor& tensor : head.tensors) {
        if (tensor.name == "logits") {
            EXPECT_EQ(tensor.in_memory, 0.25);
        }
    }
    EXPECT_EQ(tiled(small.block("layer")), "");
    small.options.stack.loss_tiles = 1;
    EXPECT_EQ(tiled(small.block("head")), "");
}

/// What the logits are computed from counts, too, where its rows are over the vocabulary.
TEST(TiledLoss, OperatorsOnLogitsAreTiledWithThem) {
    SmallTemplate small(R"(
name: capped
symbols: [h, f, v]
boundary: {shape: [b, s, h]}
blocks:
  head:
    parameters:
      w_head: {shape: [h, v]}
    operators:
      - raw = einsum("bsh,hv->bsv", x, w_head)
      - logits = gelu(raw)
      - loss = cross_entropy(logits)
)");
    small.options.stack.loss_tiles = 2;
    EXPECT_EQ(tiled(small.block("head")), "raw logits loss.probabilities | raw | logits | loss ");
}

/// Each of four tiles reads the parameters of the head, and adds to their gradients: reads and writes.
TEST(TiledLoss, EachTileReadsTheParameters) {
    SmallTemplate small(mlp_template);
    small.options.stack.loss_tiles = 4;
    const BlockPlans plans = small.plan(small.block("head"), {});
    EXPECT_EQ(SmallTemplate::steps(plans.forward), "logits, top, loss");
    EXPECT_EQ(SmallTemplate::steps(plans.backward), "d_logits, d_x, d_w_head");
    const auto& product = std::get<ComputeFormula>(step_of(plans.forward, "logits").work);
    EXPECT_EQ(passes(product.read), 4.0);
    EXPECT_EQ(passes(product.written), 1.0);
    EXPECT_EQ(product.kernels, 4.0);
    const auto& gradient = std::get<ComputeFormula>(step_of(plans.backward, "d_w_head").work);
    EXPECT_EQ(passes(gradient.written), 2.0 * 4);
}

TEST(TiledLoss, TheBackwardPassMayMakeTheLogitsAgain) {
    SmallTemplate small(mlp_template);
    small.options.stack.loss_tiles = 4;
    small.options.stack.repeats_logits = true;
    const Block head = small.block("head");
    const BlockPlans plans = small.plan(head, {});
    EXPECT_EQ(SmallTemplate::saved(head, plans.forward), "x");
    EXPECT_EQ(SmallTemplate::steps(plans.backward),
              "again logits, again top, again loss, d_logits, d_x, d_w_head");
    // Executed, but not model FLOPs.
    const auto& again = std::get<ComputeFormula>(step_of(plans.backward, "again logits").work);
    EXPECT_EQ(again.model_factor, 0.0);
    EXPECT_EQ(again.executed_factor, 1.0);
    // A loss in one kernel reads the logits alone.
    small.options.stack.loss = graph::LossKernel::fused;
    EXPECT_EQ(SmallTemplate::steps(small.plan(small.block("head"), {}).backward),
              "again logits, d_logits, d_x, d_w_head");
    // Of whole logits, nothing is dropped.
    small.options.stack.loss_tiles = 1;
    EXPECT_EQ(SmallTemplate::steps(small.plan(small.block("head"), {}).backward), "d_logits, d_x, d_w_head");
}

/// 4 bytes of each probability in 32 bits, and what operators on them need meanwhile, of a quarter of the
/// tokens.
TEST(TiledLoss, BuffersHaveTheSizeOfATile) {
    const auto largest = [](std::int64_t tiles) {
        test::SmallStructure small;
        small.options.stack.loss = small.small.options.stack.loss = graph::LossKernel::unfused;
        small.options.stack.loss_tiles = small.small.options.stack.loss_tiles = tiles;
        small.blocks[2] = small.small.block("head");
        const Structure structure = small.build({{{{0, 1}, {1, 2}, {2, 1}}}});
        const Numbers numbers = small.numbers(structure, 1, 1);
        std::pair<double, double> most;  // activations, workspaces
        for (const BufferFormula& buffer : structure.buffers) {
            double& size = buffer.kind == graph::MemoryKind::workspace ? most.second : most.first;
            const bool passes_on = buffer.kind == graph::MemoryKind::activations;
            if (passes_on || &size == &most.second) size = std::max(size, evaluate(buffer.size, numbers));
        }
        return most;
    };
    constexpr double logits = 8 * 16 * 96;
    EXPECT_EQ(largest(1), (std::pair{4.0 * logits, 6.0 * logits}));
    // Of the layers, 2 bytes of 8 * 16 * 64 remain the largest.
    EXPECT_EQ(largest(4), (std::pair{2.0 * 8 * 16 * 64, 6.0 * logits / 4}));
}

/// What a loop keeps of a microbatch's logits is its last tile.
TEST(TiledLoss, ALoopKeepsATile) {
    test::SmallStructure small;
    small.options.stack.keeps_logits = true;
    small.options.stack.loss_tiles = small.small.options.stack.loss_tiles = 4;
    small.blocks[2] = small.small.block("head");
    const Structure structure = small.build({{{{0, 1}, {1, 2}, {2, 1}}}});
    const Numbers numbers = small.numbers(structure, 1, 1);
    double kept = 0.0;
    for (const graph::BufferId id : structure.graph.programs.front().resident) {
        const BufferFormula& buffer = structure.buffers[id.index()];
        if (buffer.kind == graph::MemoryKind::workspace) kept += evaluate(buffer.size, numbers);
    }
    EXPECT_EQ(kept, 2.0 * 8 * 16 * 96 / 4);
}

}  // namespace
}  // namespace dse::frontend
