#include "frontend/lowering/device_partition.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::frontend {
namespace {

using ir::Communication;
using ir::DeviceGroups;
using ir::GroupMode;

Communication groups(GroupMode mode, std::vector<std::vector<std::int64_t>> lists) {
    Communication communication;
    communication.mode = mode;
    communication.groups = DeviceGroups::list(std::move(lists));
    return communication;
}

// Three replicas of two partitions: device = 2 · replica + partition.
constexpr DeviceGrid grid{3, 2};

TEST(DevicePartition, CrossReplicaGroupsMeetInEachPartition) {
    EXPECT_EQ(partition_of(groups(GroupMode::cross_replica, {{0, 1}, {2}}), grid),
              (DevicePartition{{0, 2}, {4}, {1, 3}, {5}}));
}

TEST(DevicePartition, CrossPartitionGroupsMeetInEachReplica) {
    EXPECT_EQ(partition_of(groups(GroupMode::cross_partition, {{0, 1}}), grid),
              (DevicePartition{{0, 1}, {2, 3}, {4, 5}}));
}

TEST(DevicePartition, CrossReplicaAndPartitionGroupsHaveAllPartitions) {
    EXPECT_EQ(partition_of(groups(GroupMode::cross_replica_and_partition, {{0}, {1, 2}}), grid),
              (DevicePartition{{0, 1}, {2, 3, 4, 5}}));
}

TEST(DevicePartition, DevicesThatNoGroupNamesAreAlone) {
    EXPECT_EQ(partition_of(groups(GroupMode::flattened_ids, {{4, 1}}), grid),
              (DevicePartition{{4, 1}, {0}, {2}, {3}, {5}}));
}

TEST(DevicePartition, EverybodyMeetsWhereNoGroupsAreStated) {
    EXPECT_EQ(partition_of(Communication{}, DeviceGrid{2, 1}), (DevicePartition{{0, 1}}));
}

TEST(DevicePartition, PairsConnectTheirDevices) {
    Communication shift;
    shift.mode = GroupMode::flattened_ids;
    shift.pairs = {{0, 2}, {2, 0}, {1, 3}};
    EXPECT_EQ(partition_of(shift, DeviceGrid{1, 5}), (DevicePartition{{0, 2}, {1, 3}, {4}}));
}

TEST(DevicePartition, RefusesDevicesThatAreNotThereOrTwice) {
    EXPECT_THROW(partition_of(groups(GroupMode::flattened_ids, {{0, 6}}), grid), ModelError);
    EXPECT_THROW(partition_of(groups(GroupMode::flattened_ids, {{0, 1}, {1, 2}}), grid), ModelError);
    Communication far;
    far.mode = GroupMode::flattened_ids;
    far.pairs = {{0, 9}};
    EXPECT_THROW(partition_of(far, grid), ModelError);
}

}  // namespace
}  // namespace dse::frontend
