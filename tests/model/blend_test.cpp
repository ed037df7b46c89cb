#include "dse/model/blend.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

TEST(Blend, zero_takes_the_longer) {
    const Blend longer{0.0};
    EXPECT_EQ(longer(3.0, 4.0), 4.0);
    EXPECT_EQ(longer(4.0, 3.0), 4.0);
}

TEST(Blend, one_adds) {
    EXPECT_EQ(Blend{1.0}(3.0, 4.0), 7.0);
}

TEST(Blend, two_is_the_hypotenuse) {
    EXPECT_SOFT_EQ(5.0, Blend{2.0}(3.0, 4.0));
}

TEST(Blend, a_half_exceeds_the_sum) {
    // (√9 + √16)² = 49
    EXPECT_SOFT_EQ(49.0, Blend{0.5}(9.0, 16.0));
}

TEST(Blend, nothing_beside_something_is_something) {
    for (const double q : {0.0, 0.6, 1.0, 2.2, 6.0}) {
        EXPECT_EQ(Blend{q}(0.0, 5.0), 5.0) << q;
        EXPECT_EQ(Blend{q}(0.0, 0.0), 0.0) << q;
    }
}

TEST(Blend, the_short_cut_changes_no_digit) {
    std::mt19937_64 random{7};
    std::uniform_real_distribution<double> exponent{-30.0, 0.0};
    for (const double q : {0.6, 1.0, 1.3, 2.2, 4.4}) {
        const Blend blend{q};
        for (int i = 0; i < 2000; ++i) {
            const double ratio = std::pow(10.0, exponent(random));
            const double plain = std::pow(1.0 + std::pow(ratio, q), 1.0 / q);
            ASSERT_TRUE(test::soft_equal(plain, blend(1.0, ratio), 1e-13)) << q << " " << ratio;
        }
    }
}

TEST(Blend, is_monotonic_and_symmetric) {
    std::mt19937_64 random{11};
    std::uniform_real_distribution<double> time{0.0, 10.0};
    for (const double q : {0.0, 0.6, 1.0, 2.35, 6.0}) {
        const Blend blend{q};
        for (int i = 0; i < 1000; ++i) {
            const double a = time(random);
            const double b = time(random);
            ASSERT_EQ(blend(a, b), blend(b, a));
            ASSERT_LE(blend(a, b), blend(a * 1.01, b) * (1.0 + 1e-15));
            ASSERT_GE(blend(a, b), std::max(a, b));
        }
    }
}

}  // namespace
}  // namespace dse::model
