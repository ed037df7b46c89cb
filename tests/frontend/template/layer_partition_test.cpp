#include "frontend/template/layer_partition.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

/// An embedding, layers, a head: blocks 0, 1, 2.
std::vector<BlockRow> decoder(std::int64_t layers) {
    return {{0, 1, false, true}, {1, layers, true, true}, {2, 1, true, false}};
}

TEST(LayerPartition, EqualStagesWithTheEndsOnTop) {
    const auto stages = partition_layers(decoder(8), 4, 1);
    ASSERT_EQ(stages.size(), 4U);
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 2}}));
    EXPECT_EQ(stages[1][0], (std::vector<Unit>{{1, 2}}));
    EXPECT_EQ(stages[2][0], (std::vector<Unit>{{1, 2}}));
    EXPECT_EQ(stages[3][0], (std::vector<Unit>{{1, 2}, {2, 1}}));
}

TEST(LayerPartition, OneStageHoldsEverything) {
    const auto stages = partition_layers(decoder(5), 1, 1);
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 5}, {2, 1}}));
}

/// The rest goes to the stages after the first; llama3 405B has 126 layers on 16 stages for that reason.
TEST(LayerPartition, TheEndsGetOneLessWhereItDoesNotDivide) {
    const auto stages = partition_layers(decoder(126), 16, 1);
    std::vector<std::int64_t> layers;
    for (const StageUnits& stage : stages) {
        for (const Unit& unit : stage[0]) {
            if (unit.block == 1) layers.push_back(unit.count);
        }
    }
    EXPECT_EQ(layers, (std::vector<std::int64_t>{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7}));
}

/// Chunk c of stage i holds the layers of global chunk c·stages + i.
TEST(LayerPartition, VirtualStagesGoRound) {
    const auto stages = partition_layers(decoder(8), 2, 2);
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 2}}));
    EXPECT_EQ(stages[1][0], (std::vector<Unit>{{1, 2}}));
    EXPECT_EQ(stages[0][1], (std::vector<Unit>{{1, 2}}));
    EXPECT_EQ(stages[1][1], (std::vector<Unit>{{1, 2}, {2, 1}}));
}

/// A V: up the stages and down again, so that the first stage has both ends of the model.
TEST(LayerPartition, AVEndsWhereItBegins) {
    const auto stages = partition_layers(decoder(9), 2, 2, graph::Placement::v_shaped);
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 2}}));
    EXPECT_EQ(stages[1][0], (std::vector<Unit>{{1, 3}}));
    EXPECT_EQ(stages[1][1], (std::vector<Unit>{{1, 2}}));
    EXPECT_EQ(stages[0][1], (std::vector<Unit>{{1, 2}, {2, 1}}));
    EXPECT_THROW(static_cast<void>(partition_layers(decoder(3), 2, 2, graph::Placement::v_shaped)),
                 ModelError);
}

/// Two copies: a stage has a piece and the piece of the stage that mirrors it.
TEST(LayerPartition, CopiesMirrorEachOther) {
    const auto stages = partition_layers(decoder(3), 2, 2, graph::Placement::mirrored);
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 1}}));
    EXPECT_EQ(stages[0][1], (std::vector<Unit>{{1, 2}, {2, 1}}));
    EXPECT_EQ(stages[1][0], stages[0][1]);
    EXPECT_EQ(stages[1][1], stages[0][0]);
}

TEST(LayerPartition, RowsOfDifferentBlocksAreCutWhereTheyFall) {
    // Three layers of one kind, five of another, on two stages: 4 + 4.
    const std::vector<BlockRow> rows{
        {0, 1, false, true}, {1, 3, true, true}, {2, 0, true, true}, {3, 5, true, true}, {4, 1, true, false}};
    const auto stages = partition_layers(rows, 2, 1);
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 3}, {3, 1}}));
    EXPECT_EQ(stages[1][0], (std::vector<Unit>{{3, 4}, {4, 1}}));
}

TEST(LayerPartition, RefusesMoreChunksThanLayers) {
    EXPECT_THROW(static_cast<void>(partition_layers(decoder(7), 4, 2)), ModelError);
    EXPECT_NO_THROW(static_cast<void>(partition_layers(decoder(8), 4, 2)));
}

/// Every layer once, in order, and no chunk more than one larger than another.
TEST(LayerPartition, DealsEveryLayerOnce) {
    for (std::int64_t layers = 1; layers <= 40; ++layers) {
        for (std::uint32_t stages = 1; stages <= 8; ++stages) {
            for (std::uint32_t chunks = 1; chunks <= 3; ++chunks) {
                if (layers < static_cast<std::int64_t>(stages) * chunks) continue;
                const auto parts = partition_layers(decoder(layers), stages, chunks);
                std::int64_t sum = 0;
                std::int64_t least = layers;
                std::int64_t most = 0;
                for (const StageUnits& stage : parts) {
                    for (const auto& chunk : stage) {
                        std::int64_t here = 0;
                        for (const Unit& unit : chunk) here += unit.block == 1 ? unit.count : 0;
                        sum += here;
                        least = std::min(least, here);
                        most = std::max(most, here);
                    }
                }
                EXPECT_EQ(sum, layers);
                EXPECT_LE(most - least, 1) << layers << " on " << stages << " x " << chunks;
            }
        }
    }
}

}  // namespace
}  // namespace dse::frontend
