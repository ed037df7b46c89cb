#include "ir/readers/mlir/sharding_text.hpp"

#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirShardings, OfArgumentsAndResults) {
    const Program program = program_of(R"(sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}, %b: tensor<8xf32>) {
  %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}]>]>} : tensor<8xf32>
  %1:2 = stablehlo.optimization_barrier %0, %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>, <@m, [{"x"}]>]>} : tensor<8xf32>, tensor<8xf32>
  return
})");
    const Computation& main = program[program.entry];
    const auto parts = [&](ValueId value) {
        const auto& leaves = program.shardings[program[value].sharding.index()];
        return leaves.empty() ? 0 : parts_of(leaves.at(0).dimensions.at(0).axes);
    };
    EXPECT_EQ(parts(main.arguments[0]), 2);
    EXPECT_EQ(parts(main.arguments[1]), 0);  // none stated
    EXPECT_EQ(parts(Program::result(main.operations[0])), 2);
    EXPECT_EQ(parts(Program::result(main.operations[1], 0)), 1);
    EXPECT_EQ(parts(Program::result(main.operations[1], 1)), 2);
}

TEST(MlirShardings, OneAValue) {
    EXPECT_NE(refusal_of(R"(sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<8xf32>) {
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}]>, <@m, [{}]>]>} : tensor<8xf32>
  return
})")
                  .find("2 shardings for 1 values"),
              std::string::npos);
}

// {devices=[2,1]<=[2]}: the first dimension in 2 parts, over one axis of 2 devices.
TEST(MlirShardings, StringsOfGspmd) {
    const Program program = program_of(R"(
module attributes {mhlo.num_partitions = 2 : i32} {
func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}, %b: tensor<8x4xf32> {mhlo.sharding = ""}) {
  %0 = stablehlo.custom_call @Sharding(%b) {backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1:2 = stablehlo.custom_call @two(%a) {mhlo.sharding = "{{devices=[1,2]<=[2]}, {replicated}}"} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8xf32>)
  return
} })");
    const Computation& main = program[program.entry];
    const auto leaf = [&](ValueId value) { return program.shardings[program[value].sharding.index()].at(0); };
    EXPECT_EQ(parts_of(leaf(main.arguments[0]).dimensions[0].axes), 2);
    EXPECT_EQ(program[main.arguments[1]].sharding, no_sharding);
    EXPECT_EQ(main.operations[0].opcode, Opcode::sharding_constraint);
    EXPECT_NE(program.attribute_if<Resharding>(main.operations[0]), nullptr);
    EXPECT_EQ(main.operations[1].opcode, Opcode::custom_call);
    EXPECT_EQ(parts_of(leaf(Program::result(main.operations[1], 0)).dimensions[1].axes), 2);
    EXPECT_TRUE(leaf(Program::result(main.operations[1], 1)).dimensions.empty());
    EXPECT_FALSE(program.partitioned);
}

// As TensorFlow writes them: type OTHER, tiles [2, 1], devices [0, 1]; then [1, 2] on 8 devices, 4 times.
TEST(MlirShardings, BytesOfGspmd) {
    const Program program = program_of(R"(
func.func @main(%a: tensor<8x4xf32> {mhlo.sharding = "\08\03\1A\02\02\01\22\02\00\01"}, %b: tensor<8x4xf32> {mhlo.sharding = "\08\03\1A\03\01\02\04J\02\04\02R\02\01\000\01"}) {
  return
})");
    const Computation& main = program[program.entry];
    const auto leaf = [&](ValueId value) { return program.shardings[program[value].sharding.index()].at(0); };
    EXPECT_EQ(parts_of(leaf(main.arguments[0]).dimensions[0].axes), 2);
    EXPECT_EQ(program.meshes[leaf(main.arguments[0]).mesh.index()].device_count(), 2);
    const Sharding repeated = leaf(main.arguments[1]);
    EXPECT_TRUE(repeated.dimensions[0].axes.empty());
    EXPECT_EQ(parts_of(repeated.dimensions[1].axes), 2);
    EXPECT_EQ(program.meshes[repeated.mesh.index()].device_count(), 8);
}

// What Shardy writes for programs that travel without it: strings in strings.
TEST(MlirShardings, ShardyInFrontendAttributes) {
    const Program program = program_of(R"(
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\\\"x\\\"=4, \\\"y\\\"=2]>}"}} {
func.func @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\\\"x\\\"}]>"}}) {
  %0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22y\22}]>]>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return
} })");
    const Computation& main = program[program.entry];
    ASSERT_EQ(program.meshes.size(), 1U);
    EXPECT_EQ(program.meshes[0].device_count(), 8);
    const auto& stated = program.shardings[program[main.arguments[0]].sharding.index()].at(0);
    EXPECT_EQ(stated.dimensions[0].axes, (std::vector<AxisRef>{{0, 1, 4}}));
    const auto* constraint = program.attribute_if<Resharding>(main.operations[0]);
    ASSERT_NE(constraint, nullptr);
    EXPECT_EQ(constraint->sharding.dimensions[0].axes, (std::vector<AxisRef>{{1, 1, 2}}));
}

TEST(MlirShardings, WhatIsWrongInAStringIsToldAtTheString) {
    EXPECT_NE(
        refusal_of("func.func @main(%a: tensor<8xf32> {mhlo.sharding = \"{devices=[2]<=[3]}\"}) { return }"),
        "");
    EXPECT_NE(refusal_of("func.func @main(%a: tensor<8xf32> {mhlo.sharding = \"{replicated\"}) { return }"),
              "");
    EXPECT_NE(refusal_of("func.func @main(%a: tensor<8xf32> {mhlo.sharding = \"replicated\"}) { return }")
                  .find("expected a sharding"),
              std::string::npos);
    EXPECT_NE(
        refusal_of(
            R"(func.func @main(%a: tensor<8xf32> {mhlo.sharding = "\08\03\1A\01\02\22\01\00"}) { return })")
            .find("the tiles need 2 devices, but their list has 1"),
        std::string::npos);
    const std::string reason = refusal_of(
        "func.func @main(%a: tensor<8xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = \"<@none, "
        "[{}]>\"}}) { "
        "return }");
    EXPECT_NE(reason.find("t.mlir:1:83: attribute:1:2: there is no mesh @none"), std::string::npos) << reason;
}

}  // namespace
}  // namespace dse::ir::mlir
