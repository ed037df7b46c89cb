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
        apply(stack, stages);
        return stages[0][0];
    }
    void apply(const SoftwareStack& stack, std::vector<StageUnits>& stages,
               graph::Placement placement = graph::Placement::cyclic) {
        const std::vector<Block> wide = has_wide_layers(stack) ? blocks : std::vector<Block>{};
        apply_layer_policies(stack, blocks, wide, placement, stages);
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

SoftwareStack with_wide_ends(std::int64_t first, std::int64_t last) {
    SoftwareStack stack;
    stack.precision = graph::Precision::fp8;
    stack.bf16_first_layers = first;
    stack.bf16_last_layers = last;
    return stack;
}

/// They are counted through the model, not through a chunk: two stages of two chunks hold layers 0-1, 2-3,
/// 4-5 and 6-7.
TEST(LayerPolicy, LayersOfSixteenBitsAreTheEndsOfTheModel) {
    Model model;
    Tensor weight;
    weight.storage = Storage::weight;
    model.blocks[1].tensors.push_back(weight);
    std::vector<StageUnits> stages{{{{0, 1}, {1, 2}}, {{1, 2}}}, {{{1, 2}}, {{1, 2}, {3, 1}}}};
    model.apply(with_wide_ends(1, 3), stages);
    EXPECT_EQ(stages, (std::vector<StageUnits>{{{{0, 1}, {4, 1}, {1, 1}}, {{1, 1}, {4, 1}}},
                                               {{{1, 2}}, {{4, 2}, {3, 1}}}}));
    ASSERT_EQ(model.blocks.size(), 5U);
    EXPECT_TRUE(model.blocks[4].wide);
    EXPECT_EQ(model.blocks[4].tensors.front().storage, Storage::parameter);
    EXPECT_EQ(model.blocks[1].tensors.front().storage, Storage::weight);
}

/// DualPipe: stage 0 holds the first piece of one copy and the last of the other.
TEST(LayerPolicy, BothCopiesOfAModelHaveTheSameEnds) {
    Model model;
    std::vector<StageUnits> stages{{{{0, 1}, {1, 3}}, {{1, 3}, {3, 1}}},
                                   {{{1, 3}, {3, 1}}, {{0, 1}, {1, 3}}}};
    model.apply(with_wide_ends(0, 1), stages, graph::Placement::mirrored);
    const std::vector<Unit> first{{0, 1}, {1, 3}};
    const std::vector<Unit> last{{1, 2}, {4, 1}, {3, 1}};
    EXPECT_EQ(stages, (std::vector<StageUnits>{{first, last}, {last, first}}));
}

TEST(LayerPolicy, AllLayersMayBeOfSixteenBits) {
    Model model;
    EXPECT_EQ(model.chunk(with_wide_ends(5, 100)),
              (std::vector<Unit>{{0, 1}, {4, 4}, {5, 1}, {5, 3}, {3, 1}}));
}

/// Where all products run in 16 bits already, nothing is cut.
TEST(LayerPolicy, SixteenBitsHaveNoEnds) {
    Model model;
    SoftwareStack stack = with_wide_ends(1, 1);
    stack.precision = graph::Precision::bf16;
    EXPECT_FALSE(varies_by_layer(stack));
    stack.recompute = Recompute::full;
    stack.recompute_layers = 2;
    EXPECT_EQ(model.chunk(stack), (std::vector<Unit>{{0, 1}, {1, 2}, {4, 2}, {5, 4}, {3, 1}}));
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
