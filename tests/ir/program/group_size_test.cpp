#include "ir/program/group_size.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

struct Grid {
    Program program;
    Communication communication;
    Grid() {
        program.replicas = 2;
        program.partitions = 6;
    }
    std::int64_t members(GroupMode mode) {
        communication.mode = mode;
        return group_size(program, communication);
    }
};

TEST(GroupSize, IsEverybodyWhereNoGroupsAreGiven) {
    Grid grid;
    EXPECT_EQ(grid.members(GroupMode::cross_replica), 2);
    EXPECT_EQ(grid.members(GroupMode::cross_partition), 6);
    EXPECT_EQ(grid.members(GroupMode::flattened_ids), 12);
}

TEST(GroupSize, IsAGroups) {
    Grid grid;
    grid.communication.groups = DeviceGroups::iota(4, 3, {12}, {});
    EXPECT_EQ(grid.members(GroupMode::flattened_ids), 3);
}

// A group of both replicas is one of all their partitions too.
TEST(GroupSize, CountsPartitionsOfWholeReplicas) {
    Grid grid;
    grid.communication.groups = DeviceGroups::iota(1, 2, {2}, {});
    EXPECT_EQ(grid.members(GroupMode::cross_replica_and_partition), 12);
}

// Of 8 partitions of one replica, `replica_groups=[1,8]<=[8]` names 8 devices, and not 8 replicas of 8.
TEST(GroupSize, CountsDevicesWhereReplicasAreNotCounted) {
    Grid grid;
    grid.program.replicas = 1;
    grid.program.partitions = 8;
    grid.communication.groups = DeviceGroups::iota(1, 8, {8}, {});
    EXPECT_EQ(grid.members(GroupMode::cross_replica_and_partition), 8);
    grid.communication.groups = DeviceGroups::list({{0}});
    EXPECT_EQ(grid.members(GroupMode::cross_replica_and_partition), 8);
}

TEST(GroupSize, IsWhatTheTextStatesWithoutGroups) {
    Grid grid;
    grid.communication.group_size = 5;
    EXPECT_EQ(grid.members(GroupMode::cross_replica), 5);
}

}  // namespace
}  // namespace dse::ir
