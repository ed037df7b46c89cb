#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/units.hpp"

namespace dse::test {

/// What a sum of a few roundings may cost.
inline constexpr double soft_tolerance = 1e-12;

/// Equal within `tolerance` relative to the expected value; an expected 0 or infinity must be met exactly,
/// NaN equals nothing.
inline testing::AssertionResult soft_equal(double expected, double actual,
                                           double tolerance = soft_tolerance) {
    if (expected == actual) return testing::AssertionSuccess();
    const double difference = std::abs(actual - expected);
    if (std::isfinite(difference) && difference <= tolerance * std::abs(expected)) {
        return testing::AssertionSuccess();
    }
    return testing::AssertionFailure()
           << "expected " << testing::PrintToString(expected) << ", got " << testing::PrintToString(actual)
           << ", relative difference " << difference / std::abs(expected) << " above " << tolerance;
}

template <int T, int D, int W, int E, int M, int G>
testing::AssertionResult soft_equal(Quantity<T, D, W, E, M, G> expected, Quantity<T, D, W, E, M, G> actual,
                                    double tolerance = soft_tolerance) {
    return soft_equal(expected.value(), actual.value(), tolerance);
}

}  // namespace dse::test

/// Equal to 1e-12 relative: numbers, or quantities of the same dimension.
#define EXPECT_SOFT_EQ(expected, actual) EXPECT_TRUE(::dse::test::soft_equal((expected), (actual)))
#define EXPECT_SOFT_NEAR(expected, actual, tolerance) \
    EXPECT_TRUE(::dse::test::soft_equal((expected), (actual), (tolerance)))
