#include "ir/partition/common_mesh.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/ir/partition/partition.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "ir/partition/sharded_program.hpp"
#include "support/error_message.hpp"

namespace dse::ir::partition {
namespace {

using test::data;
using test::model;
using test::ShardedProgram;
using ::testing::ElementsAre;

/// data = 4 times model = 2, and beside it a mesh of these axes; an argument on each.
struct TwoMeshes : ShardedProgram {
    explicit TwoMeshes(DeviceMesh other) {
        program.meshes.push_back(std::move(other));
        argument({16, 32}, on({{data}, {model}}));
        Sharding second = sharding({{{0, 1, program.meshes[1].axes[0].size}}, {}});
        second.mesh = MeshId{1};
        argument({16, 32}, builder.sharding({second}));
    }
};

std::string refusal(DeviceMesh other) {
    const TwoMeshes two{std::move(other)};
    return dse::test::error_message<ModelError>([&] { over_common_mesh(two.program); });
}

TEST(CommonMesh, IsTheOneThatThereIs) {
    ShardedProgram p;
    p.argument({16}, p.on({{data}}));
    EXPECT_FALSE(over_common_mesh(p.program));
    EXPECT_EQ(mesh_of(p.program), MeshId{0});
    ShardedProgram none;
    none.argument({16}, none.on({{}}));
    EXPECT_THROW(mesh_of(none.program), ModelError);
}

TEST(CommonMesh, TakesAnEqualMeshOfAnotherNumberForTheSame) {
    const TwoMeshes two{{"mesh", {{"data", 4}, {"model", 2}}, {}}};
    EXPECT_FALSE(over_common_mesh(two.program));
}

/// Of eight devices in a row, data is the first factor, 4, and model the second, 2; the axis of 8 is all of
/// it.
TEST(CommonMesh, HasTheAxesOfEachAsFactors) {
    const TwoMeshes two{{"flat", {{"x", 8}}, {}}};
    const auto over = over_common_mesh(two.program);
    ASSERT_TRUE(over);
    const DeviceMesh& mesh = over->meshes[mesh_of(*over).index()];
    EXPECT_EQ(mesh.axes.size(), 1U);
    EXPECT_EQ(mesh.device_count(), 8);
    const Sharding& first = over->shardings[1][0];
    EXPECT_THAT(first.dimensions[0].axes, ElementsAre(AxisRef{0, 1, 4}));
    EXPECT_THAT(first.dimensions[1].axes, ElementsAre(AxisRef{0, 4, 2}));
    EXPECT_THAT(over->shardings[2][0].dimensions[0].axes, ElementsAre(AxisRef{0, 1, 8}));
}

TEST(CommonMesh, RefusesOtherDevicesOrdersAndCuts) {
    EXPECT_NE(
        refusal({"small", {{"x", 4}}, {}}).find("'mesh' and 'small' of one program are of different devices"),
        std::string::npos);
    EXPECT_NE(refusal({"turned", {{"x", 8}}, {7, 6, 5, 4, 3, 2, 1, 0}}).find("in different orders"),
              std::string::npos);
    ShardedProgram sixths;
    sixths.program.meshes = {{"a", {{"x", 2}, {"y", 3}}, {}}, {"b", {{"u", 3}, {"v", 2}}, {}}};
    sixths.argument({6}, sixths.on({{{0, 1, 2}}}));
    Sharding thirds = ShardedProgram::sharding({{{0, 1, 3}}});
    thirds.mesh = MeshId{1};
    sixths.argument({6}, sixths.builder.sharding({thirds}));
    EXPECT_NE(dse::test::error_message<ModelError>([&] {
                  over_common_mesh(sixths.program);
              }).find("into 2 parts and into 3"),
              std::string::npos);
}

constexpr const char* two_ways = R"(
sdy.mesh @grid = <["data"=4, "model"=2]>
sdy.mesh @flat = <["x"=8]>
func.func @main(%x: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@flat, [{"x"}, {}]>},
                %w: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{}, {"model"}]>})
    -> (tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@grid, [{"data"}, {"model"}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
)";

/// Rows over all eight devices, and columns over two of them: what two neighbours have of the rows, 2 each,
/// is gathered to 4; then each multiplies 4 rows with its 32 columns.
TEST(CommonMesh, LetsAProgramOfTwoMeshesBePartitioned) {
    const Program local = partitioned(read_mlir(Source::text(two_ways, "two_ways.mlir")));
    EXPECT_EQ(local.devices(), 8);
    std::vector<std::string> lines;
    for (const Operation& operation : local[local.entry].operations)
        if (operation.opcode != Opcode::terminator)  // has no result
            lines.push_back(std::string{name(operation.opcode)} + ' ' +
                            local.types.text(local.type_of(Program::result(operation))));
    EXPECT_THAT(lines, ElementsAre("all_gather f32[4,32]", "dot f32[4,32]"));
    const auto* gather = local.attribute_if<Communication>(local[local.entry].operations[0]);
    ASSERT_NE(gather, nullptr);
    EXPECT_THAT(gather->groups.members(8),
                ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4, 5), ElementsAre(6, 7)));
}

}  // namespace
}  // namespace dse::ir::partition
