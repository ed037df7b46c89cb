#include "dse/hardware/link_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(LinkSpec, sustains_its_share_of_the_line_rate) {
    const LinkSpec link{BytesPerSecond{50e9}, Seconds{1e-6}, 0.96};
    EXPECT_DOUBLE_EQ(link.sustained().value(), 48e9);
    EXPECT_TRUE(problems_of(link).empty());
}

TEST(LinkSpec, every_field_has_its_range) {
    EXPECT_EQ(keys(problems_of(LinkSpec{BytesPerSecond{}, Seconds{-1.0}, 0.0})),
              (Keys{"bandwidth", "latency", "efficiency"}));
}

}  // namespace
}  // namespace dse::hardware
