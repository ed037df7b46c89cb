#include "dse/metrics/hypervolume.hpp"

#include <algorithm>
#include <cstdint>
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

TEST(Hypervolume, OfThreeBoxesInSpace) {
    // Up to (4, 4, 4) boxes of 3 · 2 · 1, 2 · 1 · 3 and 1 · 3 · 2; each two share 2 · 1 · 1, 1 · 2 · 1 and
    // 1 · 1 · 2, all three a unit cube.
    CostTable table{3};
    for (const auto& row : {std::vector<double>{1, 2, 3}, {2, 3, 1}, {3, 1, 2}}) table.add(row);
    EXPECT_DOUBLE_EQ(hypervolume(table, std::vector<double>{4, 4, 4}),
                     6.0 + 6.0 + 6.0 - 2.0 - 2.0 - 2.0 + 1.0);
}

/// The sum over all sets of points, signs in turn, of the box that all of a set have in common.
double inclusion_exclusion(const CostTable& table, double reference) {
    double sum = 0.0;
    for (std::uint32_t set = 1; set < 1U << table.size(); ++set) {
        double box = -1.0;
        std::vector<double> corner(table.objectives(), -1e300);
        for (std::size_t i = 0; i < table.size(); ++i) {
            if ((set >> i & 1U) == 0) continue;
            box = -box;
            for (std::size_t d = 0; d < corner.size(); ++d) corner[d] = std::max(corner[d], table[i][d]);
        }
        for (const double x : corner) box *= reference - x;
        sum += box;
    }
    return sum;
}

TEST(Hypervolume, IsTheSumOfInclusionsAndExclusions) {
    std::mt19937_64 random{11};
    std::uniform_real_distribution<double> value{0.0, 1.0};
    for (std::size_t dimensions = 2; dimensions <= 7; ++dimensions) {
        for (int round = 0; round < 4; ++round) {
            CostTable table{dimensions};
            std::vector<double> row(dimensions);
            for (int i = 0; i < 10; ++i) {
                for (double& x : row) x = value(random);
                table.add(row);
            }
            const double expected = inclusion_exclusion(table, 1.1);
            EXPECT_NEAR(hypervolume(table, std::vector<double>(dimensions, 1.1)), expected, 1e-9 * expected)
                << dimensions;
        }
    }
}

TEST(Hypervolume, OfALargeFrontIsQuicklyFound) {
    // On the simplex x + y + z + w = 1 nothing is better than another. By slices it would take 10^9 steps.
    std::mt19937_64 random{3};
    std::exponential_distribution<double> value{1.0};
    CostTable table{4};
    for (int i = 0; i < 1000; ++i) {
        std::vector<double> row(4);
        for (double& x : row) x = value(random);
        const double sum = row[0] + row[1] + row[2] + row[3];
        for (double& x : row) x /= sum;
        table.add(row);
    }
    ASSERT_EQ(pareto_front(table).size(), 1000U);
    const double volume = hypervolume(table, std::vector<double>(4, 1.0));
    // Below the simplex lies 1/24 of the unit cube; so many points leave some of the rest open.
    EXPECT_LT(volume, 1.0 - 1.0 / 24.0);
    EXPECT_GT(volume, 0.85);
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
