// Also tests: readers/mlir/sdy_attributes.cpp
#include "ir/readers/mlir/sdy_text.hpp"

#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

struct File {
    explicit File(const std::string& text) : source{Source::text(text, "t.mlir")}, tokens{source} {
        const Source mesh = Source::text("<[\"x\"=2, \"y\"=8]>", "mesh");
        Tokens at{mesh};
        sdy.define("m", at);
    }
    Source source;
    Tokens tokens;
    Program program;
    Aliases aliases;
    SdyText sdy{program, aliases};
};

Sharding sharding_of(const std::string& text) {
    File file{text};
    return file.sdy.sharding(file.tokens);
}

TEST(SdySharding, AxesAndPartsOfThem) {
    const Sharding result = sharding_of("#sdy.sharding<@m, [{\"x\", \"y\":(2)4}, {}]>");
    ASSERT_EQ(result.dimensions.size(), 2U);
    EXPECT_EQ(result.dimensions[0].axes, (std::vector<AxisRef>{{0, 1, 2}, {1, 2, 4}}));
    EXPECT_TRUE(result.dimensions[1].axes.empty());
    EXPECT_FALSE(result.dimensions[1].open);
}

TEST(SdySharding, OpenDimensionsAndPriorities) {
    const Sharding result = sharding_of("<@m, [{\"x\", ?}p1, {?}]>");
    EXPECT_TRUE(result.dimensions[0].open);
    EXPECT_EQ(result.dimensions[0].priority, 1);
    EXPECT_EQ(result.dimensions[1].priority, -1);
    EXPECT_TRUE(result.dimensions[1].open);
}

TEST(SdySharding, ReplicatedAndUnreduced) {
    const Sharding result = sharding_of("<@m, [], replicated={\"x\"}, unreduced=max{\"y\":(1)2}>");
    EXPECT_EQ(result.replicated, (std::vector<AxisRef>{{0, 1, 2}}));
    EXPECT_EQ(result.unreduced, (std::vector<AxisRef>{{1, 1, 2}}));
}

TEST(SdySharding, MeshesInPlace) {
    File file{"<mesh<[\"a\"=4], device_ids=[3, 2, 1, 0]>, [{\"a\"}]>"};
    const Sharding result = file.sdy.sharding(file.tokens);
    EXPECT_EQ(file.program.meshes[result.mesh.index()].devices, (std::vector<std::int64_t>{3, 2, 1, 0}));
    const Sharding maximal = sharding_of("<mesh<[], device_ids=[5]>, []>");
    EXPECT_EQ(maximal.kind, Sharding::Kind::maximal);
    EXPECT_EQ(maximal.device, 5);
}

TEST(SdySharding, PerValue) {
    for (const std::string text :
         {"#sdy.sharding_per_value<[<@m, [{\"x\"}]>, <@m, [{}]>]>", "[<@m, [{\"x\"}]>, <@m, [{}]>]"}) {
        File file{text};
        EXPECT_EQ(file.sdy.shardings(file.tokens).size(), 2U) << text;
    }
}

TEST(SdySharding, RefusesWhatTheMeshDoesNotHave) {
    for (const std::string text :
         {"<@n, [{}]>", "<@m, [{\"z\"}]>", "<@m, [{\"y\":(3)2}]>", "<@m, [{\"y\":(4)4}]>",
          "<@m, [{\"y\":(0)2}]>", "<@m, [{}], other={}>", "<@m [{}]>", "<@m, [{\"x\"}, {\"x\"}]>",
          "<@m, [{\"y\":(1)4}, {\"y\":(2)2}]>", "<@m, [{\"x\"}], replicated={\"x\"}>"})
        EXPECT_THROW(sharding_of(text), InputError) << text;
    for (const std::string text : {"<mesh<[\"a\"=0]>, []>", "<mesh<[\"a\"=2], device_ids=[0]>, []>",
                                   "<mesh<[\"a\"=4294967296, \"b\"=4294967296]>, []>"})
        EXPECT_THROW(sharding_of(text), InputError) << text;
}

// Shardy's parser also takes the attribute in full.
TEST(SdyOperations, MeshAsAnAttribute) {
    const Program program = program_of(R"(sdy.mesh @m = #sdy.mesh<["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
})");
    EXPECT_EQ(program.partitions, 8);
}

TEST(SdyOperations, ManualComputation) {
    const Program program = program_of(R"(sdy.mesh @m = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}]>] out_shardings=[<@m, [{}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
    %1 = sdy.all_gather [{"x"}] %b out_sharding=<@m, [{}]> : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
})");
    EXPECT_EQ(program.partitions, 8);
    EXPECT_FALSE(program.partitioned);
    const Operation& manual = first(program);
    EXPECT_EQ(manual.opcode, Opcode::manual_computation);
    const auto* attribute = program.attribute_if<ManualComputation>(manual);
    ASSERT_NE(attribute, nullptr);
    EXPECT_EQ(attribute->manual_axes, (std::vector<AxisRef>{{0, 1, 2}}));
    EXPECT_EQ(attribute->in.size(), 1U);
    const Computation& body = program[program.called(manual)[0]];
    EXPECT_EQ(program.types.text(program.type_of(body.arguments[0])), "f32[4]");
    EXPECT_EQ(body.operations[0].opcode, Opcode::all_gather);
    EXPECT_NE(program.attribute_if<Resharding>(body.operations[0]), nullptr);
    EXPECT_EQ(body.results.size(), 1U);
    const Computation& main = program[program.entry];
    EXPECT_NE(program[main.arguments[0]].sharding, no_sharding);
    ASSERT_EQ(main.result_shardings.size(), 1U);
    EXPECT_NE(main.result_shardings[0], no_sharding);
    // The mesh itself stands in the module, outside of all functions.
    EXPECT_EQ(program.computations[0].operations[0].opcode, Opcode::mesh);
}

TEST(SdyOperations, Reshard) {
    const Program program = program_of(R"(
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "m"}> : () -> ()
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.reshard %a <@m, [{"x"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
})");
    const auto* attribute = program.attribute_if<Resharding>(first(program));
    ASSERT_NE(attribute, nullptr);
    EXPECT_EQ(attribute->sharding.dimensions[0].axes, (std::vector<AxisRef>{{0, 1, 2}}));
}

}  // namespace
}  // namespace dse::ir::mlir
