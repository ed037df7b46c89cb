#include "dse/graph/expert_tiles.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "dse/graph/fullest_touched_share.hpp"
#include "dse/graph/software_stack.hpp"

namespace dse::graph {
namespace {

TEST(ExpertTiles, AreThoseOfTheStack) {
    SoftwareStack stack;
    stack.least_expert_tile = 8;
    stack.expert_tile_margin = 1.3;
    stack.tile_reading = 0.2;
    const ExpertTiles tiles = tiles_of(stack);
    EXPECT_EQ(tiles.least, 8);
    EXPECT_EQ(tiles.margin, 1.3);
    EXPECT_EQ(tiles.reading, 0.2);
}

/// calculate_tile_tokens_dim of TensorRT-LLM: 320 tokens that choose 4 of 128 experts are 10 each.
TEST(ExpertTiles, HaveAsManyRowsAsExpertsOnAverage) {
    const ExpertTiles tiles{8, 1.0, 0.65};
    EXPECT_EQ(rows_of_tile(tiles, 0.0), 8.0);
    EXPECT_EQ(rows_of_tile(tiles, 8.0), 8.0);
    EXPECT_EQ(rows_of_tile(tiles, 8.9), 8.0) << "the mean is rounded down first";
    EXPECT_EQ(rows_of_tile(tiles, 10.0), 16.0);
    EXPECT_EQ(rows_of_tile(tiles, 33.0), 64.0);
    EXPECT_EQ(rows_of_tile(tiles, 1000.0), 64.0) << "the kernel has none wider";
    EXPECT_EQ(rows_of_tile({8, 1.3, 0.65}, 8.0), 16.0)
        << "10 rows with a margin for experts chosen more often";
}

TEST(ExpertTiles, WithoutTilesWeightsAreReadOnce) {
    const RoutedLayer layer{16, 2, 4, 4.0};
    EXPECT_EQ(fullest_readings({}, layer, 8.0, {}), fullest_touched_share({}, layer, 8.0));
}

/// Two tokens choose one of two experts: none, one and two rows with probabilities 1/4, 1/2 and 1/4. Tiles of
/// one row (the mean is one): the second costs 0.6 of the first.
TEST(ExpertTiles, EachFurtherTileReadsWeightsAgain) {
    const RoutedLayer layer{2, 1, 1, 2.0};
    EXPECT_NEAR(fullest_readings({}, layer, 2.0, {1, 1.0, 0.6}), 0.5 * 1.0 + 0.25 * 1.6, 1e-9);
    EXPECT_NEAR(fullest_readings({}, layer, 2.0, {2, 1.0, 0.6}), 0.75, 1e-9) << "tiles of two rows";
    EXPECT_EQ(fullest_readings({}, layer, 0.0, {1, 1.0, 0.6}), 0.0);
}

/// The same on two devices of an expert each, whose readings are x with E x = 0.9 and E x² = 0.5 + 0.64; the
/// larger of two normals is 1/√π deviations above their mean.
TEST(ExpertTiles, TheFullestDeviceReadsMore) {
    const double deviation = std::sqrt(1.14 - 0.81);
    EXPECT_NEAR(fullest_readings({}, RoutedLayer{2, 1, 2, 1.0}, 2.0, {1, 1.0, 0.6}),
                0.9 + deviation * std::numbers::inv_sqrtpi, 1e-9);
}

/// Nearly all tokens choose the most popular expert: four rows, in as many tiles. The others have none.
TEST(ExpertTiles, PopularExpertsHaveMoreTiles) {
    Routing routing{Imbalance::zipf, 10.0};
    const RoutedLayer layer{4, 1, 1, 4.0};
    // 1, 2^-10 and less; tiles of one row (the mean).
    EXPECT_NEAR(fullest_readings(routing, layer, 4.0, {1, 1.0, 0.5}), (1.0 + 3 * 0.5) / 4.0, 2e-3);
}

/// 10^6 tokens choose one of four experts: 250,000 rows each, in tiles of 64.
TEST(ExpertTiles, ManyRowsHaveAsManyTilesAsTheirMean) {
    const double tiles = 250000.0 / 64.0 + 0.5;
    EXPECT_NEAR(fullest_readings({}, RoutedLayer{4, 1, 1, 1e6}, 1e6, {8, 1.0, 1.0}), tiles, 1e-9);
    // 400 rows with a standard deviation of √300: 6 tiles of 64, a seventh with more than 384 rows (15.5
    // below the mean, with half a row of continuity), and an eighth with more than 448 (48.5 above).
    const auto below = [](double rows) { return 0.5 * std::erfc(-rows / std::sqrt(2.0 * 300.0)); };
    EXPECT_NEAR(fullest_readings({}, RoutedLayer{4, 1, 1, 1600}, 1600, {8, 1.0, 1.0}),
                6.0 + below(15.5) + below(-48.5), 0.005);
}

/// Eight tokens choose all experts: eight rows each, which fill one tile.
TEST(ExpertTiles, CertainRowsFillTheirTiles) {
    const RoutedLayer layer{4, 4, 1, 32.0};
    EXPECT_EQ(fullest_readings({}, layer, 8.0, {8, 1.0, 1.0}), 1.0);
    EXPECT_EQ(fullest_readings({}, layer, 8.0, {8, 1.0, 1.0}), fullest_touched_share({}, layer, 8.0));
    EXPECT_EQ(fullest_readings({}, layer, 130.0, {8, 1.0, 1.0}), 3.0) << "of 64, 64 and 2 rows";
}

TEST(ExpertTiles, TokensNeedNotBeWhole) {
    const RoutedLayer layer{8, 2, 1, 1.0};
    const ExpertTiles tiles{1, 1.0, 0.5};
    const double few = fullest_readings({}, layer, 2.0, tiles);
    const double between = fullest_readings({}, layer, 2.5, tiles);
    EXPECT_LT(few, between);
    EXPECT_LT(between, fullest_readings({}, layer, 3.0, tiles));
}

}  // namespace
}  // namespace dse::graph
