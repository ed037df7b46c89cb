#include "dse/ir/program/sharding.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(DeviceMesh, HasTheProductOfItsAxes) {
    const DeviceMesh mesh{"mesh", {{"x", 4}, {"y", 2}}, {}};
    EXPECT_EQ(mesh.device_count(), 8);
    EXPECT_EQ(DeviceMesh{}.device_count(), 1);
}

TEST(Sharding, PadsTheLastPart) {
    std::vector<AxisRef> axes;
    EXPECT_EQ(local_size(10, axes), 10);
    axes = {{0, 1, 4}, {1, 1, 2}};
    EXPECT_EQ(parts_of(axes), 8);
    EXPECT_EQ(local_size(16, axes), 2);
    EXPECT_EQ(local_size(10, axes), 2);  // ⌈10 / 8⌉
}

}  // namespace
}  // namespace dse::ir
