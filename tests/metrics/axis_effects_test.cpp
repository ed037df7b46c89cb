#include "dse/metrics/axis_effects.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace dse::metrics {
namespace {

struct Rows {
    std::vector<std::vector<std::uint32_t>> places;
    std::vector<double> values;
};

/// The rows of a grid of two axes of three values and one of two that satisfy a condition.
Rows grid(
    const std::function<double(double, double, double)>& f,
    const std::function<bool(int, int, int)>& has = [](int, int, int) { return true; }) {
    Rows rows{std::vector<std::vector<std::uint32_t>>(3), {}};
    for (int x = 0; x < 3; ++x) {
        for (int y = 0; y < 3; ++y) {
            for (int z = 0; z < 2; ++z) {
                if (!has(x, y, z)) continue;
                rows.places[0].push_back(static_cast<std::uint32_t>(x));
                rows.places[1].push_back(static_cast<std::uint32_t>(y));
                rows.places[2].push_back(static_cast<std::uint32_t>(z));
                rows.values.push_back(f(x, y, z));
            }
        }
    }
    return rows;
}

TEST(AxisEffects, OfASumAreTheVariancesOfItsTerms) {
    // Var(x) = Var(2y) / 4 = 2/3: shares 1/5 and 4/5, and nothing together.
    const Rows rows = grid([](double x, double y, double) { return x + 2.0 * y; });
    const AxisEffects effects{rows.places, rows.values};
    EXPECT_NEAR(effects.axes()[0].first, 0.2, 1e-12);
    EXPECT_NEAR(effects.axes()[1].first, 0.8, 1e-12);
    EXPECT_NEAR(*effects.axes()[0].total, 0.2, 1e-12);
    EXPECT_NEAR(*effects.axes()[1].total, 0.8, 1e-12);
    EXPECT_NEAR(*effects.axes()[2].total, 0.0, 1e-12);
    EXPECT_EQ(effects.axes()[0].seen, 1.0);
    EXPECT_NEAR(effects.interactions().front().share, 0.0, 1e-12);
    EXPECT_GT(*effects.axes()[1].trend, 0.8);
}

TEST(AxisEffects, OfAProductLieBetweenItsFactors) {
    // (x − 1)(y − 1): each factor has mean 0, so that neither says anything alone.
    const Rows rows = grid([](double x, double y, double) { return (x - 1.0) * (y - 1.0); });
    const AxisEffects effects{rows.places, rows.values};
    EXPECT_NEAR(effects.axes()[0].first, 0.0, 1e-12);
    EXPECT_NEAR(*effects.axes()[0].total, 1.0, 1e-12);
    EXPECT_NEAR(*effects.axes()[2].total, 0.0, 1e-12);
    EXPECT_EQ(effects.interactions().front().one, 0U);
    EXPECT_EQ(effects.interactions().front().other, 1U);
    EXPECT_NEAR(effects.interactions().front().share, 1.0, 1e-12);
}

TEST(AxisEffects, ByRankDoNotSeeOutliers) {
    const Rows rows = grid(
        [](double x, double y, double z) { return x + 0.1 * y + (x == 2 && y == 2 && z == 1 ? 1e6 : 0.0); });
    const AxisEffects effects{rows.places, rows.values};
    EXPECT_LT(effects.axes()[0].first, 0.3);
    EXPECT_GT(effects.axes()[0].first_rank, 0.8);
}

TEST(AxisEffects, HaveNoTotalWhereNoRowsDifferInTheAxisAlone) {
    const Rows rows = grid([](double x, double, double) { return x; },
                           [](int x, int y, int z) { return x == y && z == 0; });
    const AxisEffects effects{rows.places, rows.values};
    EXPECT_FALSE(effects.axes()[0].total);
    EXPECT_EQ(effects.axes()[0].seen, 0.0);
}

TEST(AxisEffects, FreeFewRowsOfChance) {
    // Eight rows with a value of their own on the first axis: it "explains" everything, and so would any
    // names.
    Rows rows{{{0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 0, 0, 1, 1, 1, 1}}, {1, 2, 1, 2, 5, 6, 5, 6}};
    const AxisEffects effects{rows.places, rows.values};
    EXPECT_EQ(effects.axes()[0].first, 0.0);
    // SST = 34, of it 32 between the halves: (32 − 2/6) / 34.
    EXPECT_NEAR(effects.axes()[1].first, (32.0 - 2.0 / 6.0) / 34.0, 1e-12);
}

TEST(AxisEffects, AreNoneOfAConstant) {
    const Rows rows = grid([](double, double, double) { return 3.0; });
    EXPECT_TRUE((AxisEffects{rows.places, rows.values}.constant()));
    EXPECT_TRUE((AxisEffects{{}, {}}.constant()));
}

}  // namespace
}  // namespace dse::metrics
