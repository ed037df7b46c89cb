#include "dist/front_sample.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "dse/metrics/pareto.hpp"

namespace dse::dist {
namespace {

using Costs = std::vector<double>;

TEST(FrontSample, KeepsWhatNothingDominates) {
    FrontSample front;
    EXPECT_TRUE(front.admit(Costs{2, 2}));
    EXPECT_FALSE(front.admit(Costs{2, 3}));
    EXPECT_FALSE(front.admit(Costs{2, 2}));
    EXPECT_FALSE(front.admit(Costs{std::nan(""), 0}));
    EXPECT_TRUE(front.admit(Costs{1, 3}));
    EXPECT_EQ(front.size(), 2U);
    EXPECT_TRUE(front.admit(Costs{1, 1}));
    EXPECT_EQ(front.size(), 1U);
    EXPECT_FALSE(front.admit({}));
}

TEST(FrontSample, IsBounded) {
    FrontSample front{3};
    for (int i = 0; i < 10; ++i) front.admit(Costs{double(i), double(-i)});
    EXPECT_EQ(front.size(), 3U);
}

TEST(FrontSample, EndsAsTheFrontOfAll) {
    std::mt19937_64 random{5};
    std::uniform_real_distribution<double> value;
    FrontSample front;
    metrics::CostTable all{3};
    for (int i = 0; i < 300; ++i) {
        const Costs costs{value(random), value(random), value(random)};
        front.admit(costs);
        all.add(costs);
    }
    EXPECT_EQ(front.size(), metrics::pareto_front(all).size());
}

}  // namespace
}  // namespace dse::dist
