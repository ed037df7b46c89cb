#include "dse/metrics/hypervolume.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::metrics {
namespace {

TEST(Hypervolume, OfOnePointIsItsBox) {
    CostTable table{3};
    table.add(std::vector<double>{1, 2, 3});
    EXPECT_DOUBLE_EQ(hypervolume(table, std::vector<double>{3, 5, 7}), 2.0 * 3.0 * 4.0);
}

TEST(Hypervolume, OfAStaircase) {
    // Boxes up to (4,4): from (1,3) 3 x 1, from (2,2) 2 x 2, from (3,1) 1 x 3; overlaps 2 x 1 and 1 x 2.
    CostTable table{2};
    for (const auto& row : {std::vector<double>{1, 3}, {2, 2}, {3, 1}}) table.add(row);
    EXPECT_DOUBLE_EQ(hypervolume(table, std::vector<double>{4, 4}), 3.0 + 4.0 + 3.0 - 2.0 - 2.0);
}

TEST(Hypervolume, IgnoresWhatLiesOutside) {
    CostTable table{2};
    table.add(std::vector<double>{5, 0});
    table.add(std::vector<double>{0, 4});
    EXPECT_EQ(hypervolume(table, std::vector<double>{4, 4}), 0.0);
}

/// Integer points below `side`: a unit cell counts when its lower corner is covered by some point.
double covered_cells(const CostTable& table, int side) {
    const std::size_t dimensions = table.objectives();
    std::vector<int> cell(dimensions, 0);
    double count = 0;
    for (;;) {
        bool covered = false;
        for (std::size_t i = 0; i < table.size() && !covered; ++i) {
            covered = true;
            for (std::size_t d = 0; d < dimensions; ++d) covered = covered && table[i][d] <= cell[d];
        }
        count += covered ? 1 : 0;
        std::size_t d = 0;
        while (d < dimensions && ++cell[d] == side) cell[d++] = 0;
        if (d == dimensions) return count;
    }
}

TEST(Hypervolume, CountsTheCoveredCellsInEveryDimension) {
    std::mt19937_64 random{7};
    constexpr int side = 6;
    std::uniform_int_distribution<int> value{0, side};
    for (std::size_t dimensions = 1; dimensions <= 5; ++dimensions) {
        for (int round = 0; round < 8; ++round) {
            CostTable table{dimensions};
            for (int i = 0; i < 12; ++i) {
                std::vector<double> row(dimensions);
                for (double& x : row) x = value(random);
                table.add(row);
            }
            const std::vector<double> reference(dimensions, side);
            EXPECT_DOUBLE_EQ(hypervolume(table, reference), covered_cells(table, side)) << dimensions;
        }
    }
}

}  // namespace
}  // namespace dse::metrics
