#include "dse/model/compute/table/factor_map.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

TEST(FactorMap, is_exact_where_it_was_measured) {
    StreamFactors factors;
    factors.add({1.0}, 2.0);
    factors.add({3.0}, 8.0);
    EXPECT_DOUBLE_EQ(factors({1.0}), 2.0);
    EXPECT_DOUBLE_EQ(factors({3.0}), 8.0);
    // Half way the geometric mean; at a quarter weights of 1/0.25 and 1/2.25, so exponents of 0.9 and 0.1.
    EXPECT_NEAR(factors({2.0}), 4.0, 1e-12);
    EXPECT_NEAR(factors({1.5}), std::pow(2.0, 0.9) * std::pow(8.0, 0.1), 1e-12);
}

TEST(FactorMap, repeated_points_are_averaged) {
    StreamFactors factors;
    factors.add({1.0}, 1.0);
    factors.add({1.0}, 4.0);
    factors.add({2.0}, 100.0);
    EXPECT_NEAR(factors({1.0}), 2.0, 1e-12);
}

TEST(FactorMap, an_edge_answers_for_what_lies_outside) {
    StreamFactors factors;
    factors.add({1.0}, 2.0);
    factors.add({3.0}, 8.0);
    EXPECT_FALSE(factors.covers({0.9}));
    EXPECT_TRUE(factors.covers({1.0}));
    EXPECT_FALSE(factors.covers({3.1}));
    EXPECT_DOUBLE_EQ(factors({-50.0}), 2.0);
    EXPECT_DOUBLE_EQ(factors({50.0}), 8.0);
}

TEST(FactorMap, far_points_do_not_count) {
    // Six neighbours with 1, and one further away.
    ProductFactors factors;
    for (int i = 0; i < 6; ++i) factors.add({0, 0, 0, 1.0 + 0.1 * i}, 1.0);
    factors.add({0, 0, 0, 9.0}, 1000.0);
    EXPECT_DOUBLE_EQ(factors({0, 0, 0, 0.5}), 1.0);
}

TEST(FactorMap, stays_between_its_points) {
    std::mt19937 random{5};
    std::uniform_real_distribution<double> place{0.0, 12.0};
    std::uniform_real_distribution<double> size{0.5, 3.0};
    ProductFactors factors;
    for (int i = 0; i < 60; ++i)
        factors.add({place(random), place(random), place(random), place(random)}, size(random));
    for (int i = 0; i < 2000; ++i) {
        const double factor = factors({place(random), 2 * place(random), place(random), place(random) - 5});
        EXPECT_GE(factor, 0.5);
        EXPECT_LE(factor, 3.0);
    }
}

}  // namespace
}  // namespace dse::model
