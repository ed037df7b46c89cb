#include "dse/ir/sharding.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(DeviceMesh, HasTheProductOfItsAxes) {
    const DeviceMesh mesh{"mesh", {{"x", 4}, {"y", 2}}, {}};
    EXPECT_EQ(mesh.device_count(), 8);
    EXPECT_EQ(DeviceMesh{}.device_count(), 1);
}

TEST(Sharding, PadsTheLastPart) {
    Sharding::Dimension dimension;
    EXPECT_EQ(local_size(10, dimension), 10);
    dimension.axes = {{0, 1, 4}, {1, 1, 2}};
    EXPECT_EQ(parts_of(dimension), 8);
    EXPECT_EQ(local_size(16, dimension), 2);
    EXPECT_EQ(local_size(10, dimension), 2);  // ⌈10 / 8⌉
}

}  // namespace
}  // namespace dse::ir
