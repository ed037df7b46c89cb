#include "trace/chakra/whole_micros.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace dse::trace::chakra {
namespace {

TEST(WholeMicros, CarryOnWhatRoundingLost) {
    WholeMicros micros;
    std::vector<std::uint64_t> given;
    for (int i = 0; i < 5; ++i) given.push_back(micros.next(0.4e-6));
    // Reached: 0.4, 0.8, 1.2, 1.6, 2.0.
    EXPECT_EQ(given, (std::vector<std::uint64_t>{0, 1, 0, 1, 0}));
}

TEST(WholeMicros, StayWithinHalfAMicrosecondOfTheSum) {
    std::mt19937_64 random{3};
    std::uniform_real_distribution<double> seconds{0, 5e-6};
    WholeMicros micros;
    double sum = 0;
    std::uint64_t given = 0;
    for (int i = 0; i < 100'000; ++i) {
        const double next = seconds(random);
        sum += next;
        given += micros.next(next);
        ASSERT_NEAR(static_cast<double>(given), sum * 1e6, 0.5001);
    }
}

TEST(WholeMicros, OfWholeOnesAreThose) {
    WholeMicros micros;
    for (const std::uint64_t n : {3U, 0U, 100'000U, 7U})
        EXPECT_EQ(micros.next(static_cast<double>(n) * 1e-6), n);
}

}  // namespace
}  // namespace dse::trace::chakra
