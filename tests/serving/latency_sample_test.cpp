#include "dse/serving/latency_sample.hpp"

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

TEST(LatencySample, OfFewIsExact) {
    LatencySample sample;
    for (const double value : {4.0, 1.0, 2.0, 3.0}) sample.add(value);
    EXPECT_SOFT_EQ(sample.statistics()[0], 2.5);
    EXPECT_SOFT_EQ(sample.statistics()[1], 2.5);
}

/// 1 ms, 2 ms, …: twice as many as are kept.
TEST(LatencySample, OfManyIsCounted) {
    LatencySample sample;
    constexpr std::size_t count = 2 * LatencySample::most_exact;
    for (std::size_t i = 1; i <= count; ++i) sample.add(1e-3 * static_cast<double>(i));
    const Statistics found = sample.statistics();
    EXPECT_NEAR(found[0], 0.5e-3 * (count + 1), 1e-6);
    for (std::size_t i = 1; i < found.size(); ++i)
        EXPECT_NEAR(found[i] / (1e-3 * count), shares[i], 0.002 * shares[i]);
}

}  // namespace
}  // namespace dse::serving
