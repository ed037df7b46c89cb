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

/// Meta's 126 layers on 16 stages of 8 chunks: with embedding and head 128, one a chunk. The first chunk has
/// the embedding alone, the last the head alone.
TEST(LayerPartition, EndsThatCountAsLayersTakeTheirPlace) {
    const auto stages = partition_layers(decoder(126), 16, 8, graph::Placement::cyclic, {1, 1, {}});
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}}));
    EXPECT_EQ(stages[15][7], (std::vector<Unit>{{2, 1}}));
    for (std::size_t stage = 0; stage < 16; ++stage) {
        for (std::size_t chunk = 0; chunk < 8; ++chunk) {
            const bool is_end = stage + chunk == 0 || (stage == 15 && chunk == 7);
            if (!is_end) {
                EXPECT_EQ(stages[stage][chunk], (std::vector<Unit>{{1, 1}}));
            }
        }
    }
}

/// 7 layers, an embedding and a head that counts twice: 10 on 3 pieces are 3 + 4 + 3.
TEST(LayerPartition, WhatIsLeftOverGoesBetweenTheEnds) {
    const auto stages = partition_layers(decoder(7), 3, 1, graph::Placement::cyclic, {1, 2, {}});
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}, {1, 2}}));
    EXPECT_EQ(stages[1][0], (std::vector<Unit>{{1, 4}}));
    EXPECT_EQ(stages[2][0], (std::vector<Unit>{{1, 1}, {2, 1}}));
}

TEST(LayerPartition, StatedSharesAreDealtInTheModelsOrder) {
    const auto stages = partition_layers(decoder(9), 2, 2, graph::Placement::cyclic, {0, 0, {0, 4, 2, 3}});
    EXPECT_EQ(stages[0][0], (std::vector<Unit>{{0, 1}}));
    EXPECT_EQ(stages[1][0], (std::vector<Unit>{{1, 4}}));
    EXPECT_EQ(stages[0][1], (std::vector<Unit>{{1, 2}}));
    EXPECT_EQ(stages[1][1], (std::vector<Unit>{{1, 3}, {2, 1}}));
}

TEST(LayerPartition, RefusesSharesOfAnotherModel) {
    const auto refusal = [](std::int64_t layers, const LayerShares& shares) -> std::string {
        try {
            static_cast<void>(partition_layers(decoder(layers), 2, 2, graph::Placement::cyclic, shares));
            return "";
        } catch (const ModelError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(refusal(9, {0, 0, {4, 5}}), "stage_layers has 2 numbers, but the pipeline has 4 pieces");
    EXPECT_EQ(refusal(9, {0, 0, {1, 1, 1, 1}}), "stage_layers adds up to 4, but the model has 9 layers");
    EXPECT_NE(refusal(9, {1, 0, {2, 2, 2, 3}}).find("embedding_layers"), std::string::npos);
    EXPECT_NE(refusal(9, {0, 0, {5, 0, 2, 2}}).find("piece 2 of 4"), std::string::npos) << "holds no end";
    EXPECT_NE(refusal(4, {3, 1, {}}).find("piece 1 of 4"), std::string::npos) << "2 - 3 layers";
    EXPECT_EQ(refusal(4, {0, 0, {0, 2, 2, 0}}), "");
}

TEST(LayerPartition, ReadsSharesAndHowOften) {
    EXPECT_EQ(parse_stage_layers("7 2*8  0"), (std::vector<std::int64_t>{7, 2, 2, 2, 2, 2, 2, 2, 2, 0}));
    EXPECT_TRUE(parse_stage_layers("").empty());
    for (const char* wrong : {"8x14", "8*", "*3", "-1", "8*0", "1.5", "8*14*2", "99999999999999999999"})
        EXPECT_THROW(static_cast<void>(parse_stage_layers(wrong)), ModelError) << wrong;
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
