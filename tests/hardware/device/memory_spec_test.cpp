#include "dse/hardware/device/memory_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(MemorySpec, sustains_its_share_of_the_bandwidth) {
    MemorySpec memory;
    EXPECT_EQ(errors_of("capacity: 80 GiB\nbandwidth: 2 TB/s\nefficiency: 0.9\n", memory), "");
    EXPECT_DOUBLE_EQ(memory.capacity.value(), 80.0 * 1073741824.0);
    EXPECT_DOUBLE_EQ(memory.sustained().value(), 1.8e12);
}

TEST(MemorySpec, a_bare_number_is_no_capacity) {
    MemorySpec memory;
    const std::string errors = errors_of("capacity: 80\nbandwidth: 2 TB/s\n", memory);
    EXPECT_NE(errors.find("x.yaml:1:11: error: capacity: '80' has no unit"), std::string::npos) << errors;
    // The same value is not complained of twice.
    EXPECT_EQ(errors.find("above 0"), std::string::npos) << errors;
}

TEST(MemorySpec, every_field_has_its_range) {
    EXPECT_EQ(keys(problems_of(MemorySpec{Bytes{}, BytesPerSecond{}, 2.0})),
              (Keys{"capacity", "bandwidth", "efficiency"}));
}

}  // namespace
}  // namespace dse::hardware
