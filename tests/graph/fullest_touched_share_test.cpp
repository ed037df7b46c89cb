// Also tests: largest_of_normals.cpp
#include "dse/graph/fullest_touched_share.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "graph/largest_of_normals.hpp"

namespace dse::graph {
namespace {

/// One token chooses one of four experts on two devices: p = 1/4, two experts a device. The maximum of two
/// normals is 1/√π on average.
TEST(FullestTouchedShare, OneDeviceHasMoreThanTheOthers) {
    const RoutedLayer layer{4, 1, 2, 1.0};
    const double deviation = std::sqrt(0.25 * 0.75 / 2.0);
    EXPECT_NEAR(fullest_touched_share({}, layer, 1.0), 0.25 + deviation * std::numbers::inv_sqrtpi, 1e-9);
    EXPECT_EQ(fullest_touched_share({}, layer, 0.0), 0.0);
    EXPECT_NEAR(fullest_touched_share({}, layer, 1000.0), 1.0, 1e-12) << "all are chosen";
}

TEST(FullestTouchedShare, ASingleDeviceHasTheMean) {
    const RoutedLayer layer{16, 2, 1, 4.0};
    EXPECT_EQ(fullest_touched_share({}, layer, 2.0), touched_share(16, 2, 2.0));
}

TEST(FullestTouchedShare, IsAtMostAll) {
    // Four devices of one expert each, of which a token chooses two: 0.5 + 0.5 · 1.03.
    EXPECT_EQ(fullest_touched_share({}, RoutedLayer{4, 2, 4, 0.5}, 1.0), 1.0);
}

/// Known means of the largest of n: 0, 1/√π, 3/(2√π).
TEST(LargestOfNormals, HasItsKnownMeans) {
    EXPECT_NEAR(largest_of_normals(1), 0.0, 1e-12);
    EXPECT_NEAR(largest_of_normals(2), std::numbers::inv_sqrtpi, 1e-9);
    EXPECT_NEAR(largest_of_normals(3), 1.5 * std::numbers::inv_sqrtpi, 1e-9);
    EXPECT_NEAR(largest_of_normals(2), std::numbers::inv_sqrtpi, 1e-9) << "again";
}

}  // namespace
}  // namespace dse::graph
