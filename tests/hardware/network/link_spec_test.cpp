#include "dse/hardware/network/link_spec.hpp"

#include <gtest/gtest.h>

#include "dse/hardware/network/scale_out_spec.hpp"
#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(LinkSpec, sustains_its_share_of_the_line_rate) {
    const LinkSpec link{BytesPerSecond{50e9}, Seconds{1e-6}, 0.96};
    EXPECT_DOUBLE_EQ(link.sustained().value(), 48e9);
}

TEST(LinkSpec, every_field_has_its_range) {
    const ScaleOutSpec scale_out{LinkSpec{BytesPerSecond{}, Seconds{-1.0}, 0.0}};
    EXPECT_EQ(keys(problems_of(scale_out)), (Keys{"bandwidth", "latency", "efficiency"}));
}

}  // namespace
}  // namespace dse::hardware
