#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

Communication gather_with(const std::string& attributes) {
    return attribute_of<Communication>("%0 = \"stablehlo.all_gather\"(%x) <{all_gather_dim = 1 : i64, " +
                                       attributes + "}> : (tensor<8x16xf32>) -> tensor<8x32xf32>");
}

TEST(MlirCommunication, GroupsOfATable) {
    EXPECT_EQ(gather_with("replica_groups = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>").groups.members(4),
              (Lists{{0, 2}, {3, 1}}));
    EXPECT_EQ(gather_with("replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>").groups,
              DeviceGroups::iota(2, 2, {4}, {}));
    EXPECT_EQ(gather_with("replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>").groups,
              DeviceGroups::iota(2, 2, {2, 2}, {1, 0}));
    // Groups of unequal size are filled up with -1.
    EXPECT_EQ(gather_with("replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>").groups.members(3),
              (Lists{{0, 2}, {1}}));
    EXPECT_EQ(gather_with("replica_groups = dense<0> : tensor<1x1xi64>").groups.members(1), (Lists{{0}}));
    EXPECT_TRUE(gather_with("replica_groups = dense<> : tensor<0x0xi64>").groups.everybody());
}

TEST(MlirCommunication, GroupsOfRawBytes) {
    // 1 and 0 as 64-bit integers, little end first.
    EXPECT_EQ(gather_with("replica_groups = dense<\"0x01000000000000000000000000000000\"> : tensor<1x2xi64>")
                  .groups.members(2),
              (Lists{{1, 0}}));
}

TEST(MlirCommunication, GroupsOfMeshAxes) {
    const Program program = program_of(R"(sdy.mesh @mesh = <["a"=2, "b"=4]>
func.func @main(%x: tensor<8xf32>) {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups =
    #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "b",
    sub_axis_info = (1)2>, #stablehlo.axis_ref<name = "a">]>} : (tensor<8xf32>) -> tensor<32xf32>
  return
})");
    const auto* all_gather = program.attribute_if<Communication>(first(program));
    ASSERT_NE(all_gather, nullptr);
    // Device 4 a + 2 b1 + b0; members in the order (b1, a), one group a b0.
    EXPECT_EQ(all_gather->groups.members(8), (Lists{{0, 4, 2, 6}, {1, 5, 3, 7}}));
}

// StableHLO's own mesh, in place or by an alias.
TEST(MlirCommunication, GroupsOfAMeshInPlace) {
    const std::string axes =
        "<axes = [#stablehlo.mesh_axis<name = \"x\", size = 2>, #stablehlo.mesh_axis<name = \"y\", size = "
        "2>]";
    const auto along = [](const std::string& mesh, const std::string& axis) {
        return gather_with("replica_groups = #stablehlo.replica_group_mesh_axes<mesh = " + mesh +
                           ", axes = [#stablehlo.axis_ref<name = \"" + axis + "\">]>")
            .groups.members(4);
    };
    EXPECT_EQ(along("#stablehlo.mesh" + axes + ">", "x"), (Lists{{0, 2}, {1, 3}}));
    EXPECT_EQ(along("#stablehlo.mesh" + axes + ">", "y"), (Lists{{0, 1}, {2, 3}}));
    EXPECT_EQ(along("#stablehlo.mesh" + axes + ", device_ids = dense<[3, 2, 1, 0]> : tensor<4xi64>>", "y"),
              (Lists{{3, 2}, {1, 0}}));
    const Program program = program_of("#mesh = #stablehlo.mesh" + axes + R"(>
func.func @main(%x: tensor<8xf32>) {
  %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups =
    #stablehlo.replica_group_mesh_axes<mesh = #mesh, axes = [#stablehlo.axis_ref<name = "y">]>} :
    (tensor<8xf32>) -> tensor<16xf32>
  return
})");
    EXPECT_EQ(program.attribute_if<Communication>(first(program))->groups.members(4),
              (Lists{{0, 1}, {2, 3}}));
}

TEST(MlirCommunication, GroupsOfMeshAxesNeedTheMesh) {
    EXPECT_THROW(gather_with("replica_groups = #stablehlo.replica_group_mesh_axes<axes = [\"x\"]>"),
                 InputError);
    EXPECT_THROW(
        gather_with("replica_groups = #stablehlo.replica_group_mesh_axes<meph = @m, axes = [\"x\"]>"),
        InputError);
}

TEST(MlirCommunication, ModesByChannel) {
    const std::string groups = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>";
    const std::string handle = ", channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>";
    EXPECT_EQ(gather_with(groups).mode, GroupMode::cross_replica);
    EXPECT_EQ(gather_with(groups + handle).mode, GroupMode::cross_replica_and_partition);
    EXPECT_EQ(gather_with(groups + handle).channel, 3);
    EXPECT_EQ(gather_with(groups + handle + ", use_global_device_ids").mode, GroupMode::flattened_ids);
    EXPECT_EQ(gather_with(groups).dimension, 1);
}

TEST(MlirCommunication, PairsAndDimensions) {
    const auto permute = attribute_of<Communication>(
        "%0 = \"stablehlo.collective_permute\"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, "
        "type = 0>, source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<8x16xf32>) "
        "-> "
        "tensor<8x16xf32>");
    EXPECT_EQ(permute.mode, GroupMode::cross_partition);
    ASSERT_EQ(permute.pairs.size(), 2U);
    EXPECT_EQ(permute.pairs[0], (std::pair<std::int64_t, std::int64_t>{0, 1}));
    const auto all_to_all = attribute_of<Communication>(
        "%0 = \"stablehlo.all_to_all\"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : "
        "tensor<1x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<8x16xf32>) -> "
        "tensor<4x32xf32>");
    EXPECT_EQ(all_to_all.dimension, 0);
    EXPECT_EQ(all_to_all.concat_dimension, 1);
}

}  // namespace
}  // namespace dse::ir::mlir
