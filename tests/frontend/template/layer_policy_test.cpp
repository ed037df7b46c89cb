#include "frontend/template/layer_policy.hpp"

#include <gtest/gtest.h>

namespace dse::frontend {
namespace {

using graph::Offload;
using graph::Recompute;
using graph::SoftwareStack;

/// Blocks 0 embedding, 1 and 2 layers, 3 head.
struct Model {
    Model() : blocks(4) {
        for (const std::size_t block : {1U, 2U}) {
            blocks[block].input = blocks[block].output = TensorId(0);
            blocks[block].recomputable = true;
        }
        blocks[0].output = TensorId(0);
        blocks[3].input = TensorId(0);
    }
    std::vector<Unit> chunk(const SoftwareStack& stack) {
        std::vector<StageUnits> stages{{{{0, 1}, {1, 4}, {2, 4}, {3, 1}}}};
        apply_layer_policies(stack, blocks, stages);
        return stages[0][0];
    }
    std::vector<Block> blocks;
};

TEST(LayerPolicy, LeavesAloneWhatIsKeptAlike) {
    Model model;
    SoftwareStack stack;
    stack.recompute = Recompute::full;
    EXPECT_EQ(model.chunk(stack), (std::vector<Unit>{{0, 1}, {1, 4}, {2, 4}, {3, 1}}));
    stack.recompute_layers = 8;
    EXPECT_EQ(model.chunk(stack), (std::vector<Unit>{{0, 1}, {1, 4}, {2, 4}, {3, 1}}));
    stack.recompute_layers = 3;
    stack.recompute = Recompute::none;
    model.chunk(stack);
    EXPECT_EQ(model.blocks.size(), 4U);
}

/// Layers are counted through all rows, the ends are none.
TEST(LayerPolicy, CutsWhereRecomputationEnds) {
    Model model;
    SoftwareStack stack;
    stack.recompute = Recompute::full;
    stack.recompute_layers = 5;
    EXPECT_EQ(model.chunk(stack), (std::vector<Unit>{{0, 1}, {1, 4}, {2, 1}, {4, 3}, {3, 1}}));
    ASSERT_EQ(model.blocks.size(), 5U);
    EXPECT_FALSE(model.blocks[4].recomputable);
    EXPECT_TRUE(model.blocks[2].recomputable);
}

TEST(LayerPolicy, BothCutsMakeUpToThreeRuns) {
    Model model;
    SoftwareStack stack;
    stack.recompute = Recompute::full;
    stack.recompute_layers = 1;
    stack.offload = Offload::both;
    stack.offload_layers = 3;
    // Layer 0 is recomputed and offloaded (4), 1 and 2 only offloaded (5), 3 neither (6); then four of the
    // other kind.
    EXPECT_EQ(model.chunk(stack), (std::vector<Unit>{{0, 1}, {4, 1}, {5, 2}, {6, 1}, {7, 4}, {3, 1}}));
    EXPECT_TRUE(model.blocks[4].recomputable && model.blocks[4].offloaded);
    EXPECT_TRUE(!model.blocks[5].recomputable && model.blocks[5].offloaded);
    EXPECT_TRUE(!model.blocks[6].recomputable && !model.blocks[6].offloaded);
}

TEST(LayerPolicy, OffloadedOptimizersMoveNoActivations) {
    Model model;
    SoftwareStack stack;
    stack.offload = Offload::optimizer;
    EXPECT_EQ(model.chunk(stack).size(), 4U);
    EXPECT_EQ(model.blocks.size(), 4U);
}

}  // namespace
}  // namespace dse::frontend
