#include "dse/hardware/device/cost_sums.hpp"

#include <array>

#include <gtest/gtest.h>

namespace dse::hardware {
namespace {

TEST(CostSums, a_family_has_its_weights_or_those_of_all) {
    CostSums sums;
    EXPECT_TRUE(sums.empty());
    EXPECT_EQ(0.0, sums(3, std::array{1.0, 2.0}));
    sums.set(CostSums::any_family, {1.0, 10.0});
    sums.set(3, {2.0, 0.0});
    EXPECT_FALSE(sums.empty());
    EXPECT_EQ(2.0, sums(3, std::array{1.0, 2.0}));
    EXPECT_EQ(21.0, sums(4, std::array{1.0, 2.0}));
}

TEST(CostSums, all_families_weigh_the_same_costs) {
    CostSums sums;
    sums.set(1, {1.0, 1.0});
    EXPECT_FALSE(sums.fit(2)) << "a kernel of another family would take no time";
    sums.set(CostSums::any_family, {1.0, 1.0});
    EXPECT_TRUE(sums.fit(2));
    sums.set(2, {1.0});
    EXPECT_FALSE(sums.fit(2));
}

}  // namespace
}  // namespace dse::hardware
