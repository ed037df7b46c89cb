#include "dse/ir/program/group_mode.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

// StableHLO specification, "Process grouping" under all_reduce, all_to_all and collective_permute.
TEST(StatedGroupMode, FollowsTheChannelAndTheIds) {
    for (const Opcode opcode : {Opcode::all_reduce, Opcode::all_gather, Opcode::reduce_scatter}) {
        EXPECT_EQ(stated_group_mode(opcode, false, false), GroupMode::cross_replica);
        EXPECT_EQ(stated_group_mode(opcode, true, false), GroupMode::cross_replica_and_partition);
        EXPECT_EQ(stated_group_mode(opcode, true, true), GroupMode::flattened_ids);
    }
    for (const Opcode opcode :
         {Opcode::all_to_all, Opcode::collective_permute, Opcode::collective_broadcast}) {
        EXPECT_EQ(stated_group_mode(opcode, false, false), GroupMode::cross_replica);
        EXPECT_EQ(stated_group_mode(opcode, true, false), GroupMode::cross_partition);
    }
}

GroupMode meant(std::int64_t replicas, std::int64_t partitions, GroupMode stated,
                const DeviceGroups& groups) {
    Program program;
    program.replicas = replicas;
    program.partitions = partitions;
    Communication communication;
    communication.mode = stated;
    communication.groups = groups;
    return group_mode(program, communication);
}

const DeviceGroups eight = DeviceGroups::iota(1, 8, {8}, {});

TEST(GroupMode, IsAsStatedWhereTheProgramCountsThem) {
    EXPECT_EQ(meant(8, 1, GroupMode::cross_replica_and_partition, eight),
              GroupMode::cross_replica_and_partition);
    EXPECT_EQ(meant(8, 2, GroupMode::cross_replica, eight), GroupMode::cross_replica);
    EXPECT_EQ(meant(2, 8, GroupMode::cross_partition, eight), GroupMode::cross_partition);
    EXPECT_EQ(meant(1, 8, GroupMode::flattened_ids, eight), GroupMode::flattened_ids);
}

// XLA's verifier passes over counts of 1, which are those that nobody has set.
TEST(GroupMode, IsOfDevicesWhereMoreAreNamedThanTheOneThatIsCounted) {
    EXPECT_EQ(meant(1, 8, GroupMode::cross_replica_and_partition, eight), GroupMode::flattened_ids);
    EXPECT_EQ(meant(1, 8, GroupMode::cross_replica, eight), GroupMode::flattened_ids);
    EXPECT_EQ(meant(8, 1, GroupMode::cross_partition, eight), GroupMode::flattened_ids);
    EXPECT_EQ(meant(1, 1, GroupMode::cross_replica, eight), GroupMode::flattened_ids);
}

// `replica_groups={{0}}, channel_id=1`: the one replica, that is, all its partitions.
TEST(GroupMode, OfTheOnlyReplicaIsAsStated) {
    const DeviceGroups only = DeviceGroups::list({{0}});
    EXPECT_EQ(meant(1, 8, GroupMode::cross_replica_and_partition, only),
              GroupMode::cross_replica_and_partition);
    EXPECT_EQ(meant(1, 8, GroupMode::cross_replica_and_partition, {}),
              GroupMode::cross_replica_and_partition);
}

TEST(GroupMode, LooksAtThePairsOfAPermutation) {
    Program program;
    program.partitions = 4;
    Communication communication;
    communication.pairs = {{0, 1}, {1, 0}};
    EXPECT_EQ(group_mode(program, communication), GroupMode::flattened_ids);
    communication.pairs = {{0, 0}};
    EXPECT_EQ(group_mode(program, communication), GroupMode::cross_replica);
}

}  // namespace
}  // namespace dse::ir
