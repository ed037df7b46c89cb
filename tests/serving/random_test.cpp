#include "serving/random.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace dse::serving {
namespace {

struct Moments {
    double mean;
    double variation;
};

template <class Draw>
Moments moments_of(Draw&& draw) {
    constexpr int number = 200'000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < number; ++i) {
        const double value = draw();
        sum += value;
        squares += value * value;
    }
    const double mean = sum / number;
    return {mean, std::sqrt(squares / number - mean * mean)};
}

/// Sebastiano Vigna's reference (splitmix64.c) from seed 1234567.
TEST(Random, IsSplitMix64) {
    Random random{1234567};
    EXPECT_EQ(random.next(), 6457827717110365317ULL);
    EXPECT_EQ(random.next(), 3203168211198807973ULL);
}

/// Means of 200,000 numbers: four standard errors are at most 0.02.
TEST(Random, DistributionsHaveTheirMoments) {
    Random random{1};
    const Moments uniform = moments_of([&] { return random.uniform(); });
    EXPECT_NEAR(uniform.mean, 0.5, 0.005);
    EXPECT_NEAR(uniform.variation, std::sqrt(1.0 / 12.0), 0.005);
    const Moments exponential = moments_of([&] { return random.exponential(); });
    EXPECT_NEAR(exponential.mean, 1.0, 0.01);
    EXPECT_NEAR(exponential.variation, 1.0, 0.02);
    const Moments normal = moments_of([&] { return random.normal(); });
    EXPECT_NEAR(normal.mean, 0.0, 0.01);
    EXPECT_NEAR(normal.variation, 1.0, 0.01);
    for (const double variation : {0.5, 1.0, 2.0}) {
        const Moments gamma = moments_of([&] { return random.gamma(variation); });
        EXPECT_NEAR(gamma.mean, 1.0, 0.02) << variation;
        EXPECT_NEAR(gamma.variation, variation, 0.05) << variation;
    }
}

}  // namespace
}  // namespace dse::serving
