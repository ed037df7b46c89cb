#include "dse/hardware/network/scale_out_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(ScaleOutSpec, oversubscription_divides_what_a_device_gets) {
    const ScaleOutSpec scale_out{{BytesPerSecond{50e9}, Seconds{1e-6}, 0.96}, 2.0};
    EXPECT_DOUBLE_EQ(scale_out.sustained().value(), 24e9);
}

TEST(ScaleOutSpec, a_fabric_delivers_no_more_than_enters_it) {
    const ScaleOutSpec scale_out{{BytesPerSecond{50e9}, Seconds{1e-6}, 0.96}, 0.5};
    EXPECT_EQ(keys(problems_of(scale_out)), Keys{"oversubscription"});
}

}  // namespace
}  // namespace dse::hardware
