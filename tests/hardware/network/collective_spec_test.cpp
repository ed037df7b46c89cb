#include "dse/hardware/network/collective_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(CollectiveSpec, defaults_are_latency_plus_transfer) {
    const CollectiveSpec collective;
    EXPECT_TRUE(problems_of(collective).empty());
    EXPECT_EQ(collective.launch, Seconds{});
    EXPECT_EQ(collective.sharpness, 1.0);
    EXPECT_EQ(collective.phase_overlap, 0.0);
}

TEST(CollectiveSpec, every_field_has_its_range) {
    CollectiveSpec wrong;
    wrong.launch = wrong.message_launch = Seconds{-1.0};
    wrong.sharpness = 0.0;
    wrong.phase_overlap = 1.5;
    EXPECT_EQ(keys(problems_of(wrong)), (Keys{"launch", "message_launch", "sharpness", "phase_overlap"}));
    CollectiveSpec collective;
    collective.chunks = 0;
    EXPECT_EQ(keys(problems_of(collective)), Keys{"chunks"});
}

}  // namespace
}  // namespace dse::hardware
