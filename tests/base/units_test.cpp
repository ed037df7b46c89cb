#include "dse/base/units.hpp"

#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
    a < b;
};

static_assert(Addable<Seconds, Seconds>);
static_assert(!Addable<Seconds, Bytes>, "bytes are no time");
static_assert(!Addable<Seconds, double>, "a bare number has no unit");
static_assert(!Comparable<Seconds, double>);
static_assert(!std::is_convertible_v<double, Seconds>, "a number is no quantity until somebody says so");
static_assert(!std::is_convertible_v<Seconds, double>);
static_assert(sizeof(Seconds) == sizeof(double));

static_assert(std::is_same_v<decltype(Bytes{} / BytesPerSecond{}), Seconds>);
static_assert(std::is_same_v<decltype(Flop{} / FlopPerSecond{}), Seconds>);
static_assert(std::is_same_v<decltype(Watts{} * Seconds{}), Joules>);
static_assert(std::is_same_v<decltype(JoulesPerFlop{} * Flop{}), Joules>);
static_assert(std::is_same_v<decltype(JoulesPerByte{} * Bytes{}), Joules>);
static_assert(std::is_same_v<decltype(DollarsPerSecond{} * Seconds{}), Dollars>);
static_assert(std::is_same_v<decltype(Bytes{} / Bytes{}), double>, "a ratio is a number");
static_assert(std::is_same_v<decltype(BytesPerSecond{} * (Seconds{} / Bytes{})), double>);

TEST(Units, TransferTimeByHand) {
    // 1 GiB at 50 GB/s: 1073741824 / 5e10 = 0.02147483648 s.
    EXPECT_SOFT_EQ(Seconds{0.02147483648}, Bytes{1073741824.0} / BytesPerSecond{50e9});
}

TEST(Units, ArithmeticOfOneDimension) {
    Seconds time{1.5};
    time += Seconds{0.5};
    EXPECT_EQ(time, Seconds{2.0});
    time -= Seconds{3.0};
    EXPECT_EQ(time, Seconds{-1.0});
    time *= -4.0;
    EXPECT_EQ(time, Seconds{4.0});
    time /= 8.0;
    EXPECT_EQ(time, Seconds{0.5});
    EXPECT_EQ(-time, Seconds{-0.5});
    EXPECT_EQ(2.0 * time + time * 3.0 - time / 2.0, Seconds{2.25});
}

TEST(Units, DefaultIsZero) {
    EXPECT_EQ(Bytes{}.value(), 0.0);
}

TEST(Units, OrderIsThatOfTheNumbers) {
    EXPECT_LT(Seconds{1.0}, Seconds{2.0});
    const Seconds nothing{std::numeric_limits<double>::quiet_NaN()};
    EXPECT_FALSE(nothing == nothing);
    EXPECT_FALSE(nothing < Seconds{1.0});
}

TEST(Units, FiniteIsNeitherInfiniteNorNaN) {
    EXPECT_TRUE(is_finite(Seconds{1e300}));
    EXPECT_FALSE(is_finite(Seconds{1.0} / 0.0));
    EXPECT_FALSE(is_finite(Seconds{std::numeric_limits<double>::quiet_NaN()}));
}

// The helper that every other test leans on must be able to say no.
TEST(SoftEqual, ToleratesRoundingAndNothingElse) {
    EXPECT_TRUE(test::soft_equal(0.3, 0.1 + 0.2));
    EXPECT_TRUE(test::soft_equal(1e20, 1e20 * (1 + 9e-13)));
    EXPECT_FALSE(test::soft_equal(1e20, 1e20 * (1 + 2e-12)));
    EXPECT_FALSE(test::soft_equal(0.0, 1e-300));
    EXPECT_FALSE(test::soft_equal(1.0, -1.0));
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(test::soft_equal(infinity, infinity));
    EXPECT_FALSE(test::soft_equal(infinity, 1e308));
    EXPECT_FALSE(test::soft_equal(1e308, infinity));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(test::soft_equal(nan, nan));
}

}  // namespace
}  // namespace dse
