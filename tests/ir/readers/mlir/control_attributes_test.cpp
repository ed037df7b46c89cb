#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirComparison, PrettyAndGeneric) {
    const std::string types = " : (tensor<i32>, tensor<i32>) -> tensor<i1>";
    EXPECT_EQ(attribute_of<Comparison>("%0 = stablehlo.compare  LT, %i, %i,  SIGNED" + types).direction,
              ComparisonDirection::less);
    EXPECT_EQ(attribute_of<Comparison>("%0 = \"mhlo.compare\"(%i, %i) {compare_type = #mhlo<comparison_type "
                                       "SIGNED>, comparison_direction = #mhlo<comparison_direction GE>}" +
                                       types)
                  .direction,
              ComparisonDirection::greater_equal);
    EXPECT_EQ(attribute_of<Comparison>("%0 = \"stablehlo.compare\"(%i, %i) {comparison_direction = "
                                       "#stablehlo.comparison_direction<NE>}" +
                                       types)
                  .direction,
              ComparisonDirection::not_equal);
    EXPECT_THROW(attribute_of<Comparison>("%0 = stablehlo.compare LESS, %i, %i" + types), InputError);
}

TEST(MlirLiteral, OneInteger) {
    const auto integer = [](const std::string& text) {
        return attribute_of<Literal>("%0 = " + text).integer;
    };
    EXPECT_EQ(integer("stablehlo.constant dense<12> : tensor<i32>"), 12);
    EXPECT_EQ(integer("stablehlo.constant {a = 1 : i32} dense<-3> : tensor<4xi32>"), -3);
    EXPECT_EQ(integer("\"mhlo.constant\"() {value = dense<[7]> : tensor<1xi64>} : () -> tensor<1xi64>"), 7);
    EXPECT_EQ(integer("stablehlo.constant dense<true> : tensor<i1>"), 1);
    EXPECT_FALSE(integer("stablehlo.constant dense<1.5> : tensor<f32>").has_value());
    EXPECT_FALSE(integer("stablehlo.constant dense<[1, 2]> : tensor<2xi32>").has_value());
    EXPECT_FALSE(integer("stablehlo.constant dense<\"0x01000000\"> : tensor<1xi32>").has_value());
    EXPECT_FALSE(integer("stablehlo.constant dense_resource<__elided__> : tensor<4xi32>").has_value());
}

TEST(MlirTuples, ElementsHaveNumbers) {
    const Program program = program_of_body(R"(
    %t = stablehlo.tuple %x, %i : tuple<tensor<8x16xf32>, tensor<i32>>
    %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<8x16xf32>, tensor<i32>>) -> tensor<i32>
    %1 = "mhlo.get_tuple_element"(%t) {index = 0 : i32} : (tuple<tensor<8x16xf32>, tensor<i32>>) -> tensor<8x16xf32>)");
    const auto& operations = program[program.entry].operations;
    EXPECT_EQ(program.types.text(program.type_of(Program::result(operations[0]))), "(f32[8,16], s32[])");
    EXPECT_EQ(program.attribute_if<Index>(operations[1])->number, 1);
    EXPECT_EQ(program.attribute_if<Index>(operations[2])->number, 0);
}

TEST(MlirCalls, KeepTargetAndConfiguration) {
    const Program program = program_of_body(
        "%0 = stablehlo.custom_call @my.kernel(%x) {backend_config = \"{\\22a\\22: 1}\"} : "
        "(tensor<8x16xf32>) "
        "-> tensor<8x16xf32>");
    const auto* call = program.attribute_if<ForeignCall>(first(program));
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(program.text(call->target), "my.kernel");
    EXPECT_EQ(program.text(call->configuration), "{\"a\": 1}");
    const Program generic = program_of_body(
        "%0 = \"mhlo.custom_call\"(%x) {call_target_name = \"byteir.softmax\", backend_config = \"\"} : "
        "(tensor<8x16xf32>) -> tensor<8x16xf32>");
    EXPECT_EQ(generic.text(generic.attribute_if<ForeignCall>(first(generic))->target), "byteir.softmax");
}

TEST(MlirComposites, RunTheirDecomposition) {
    const Program program = program_of(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.composite "chlo.relu" %x {decomposition = @relu, composite_attributes = {a = 1 : i32}} :
    (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @relu(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> })");
    EXPECT_EQ(first(program).opcode, Opcode::composite);
    EXPECT_EQ(program.text(program.attribute_if<ForeignCall>(first(program))->target), "chlo.relu");
    EXPECT_EQ(program.text(program[program.called(first(program))[0]].name), "relu");
}

TEST(MlirShardy, GroupsHaveNumbersAndBarriersWays) {
    EXPECT_EQ(attribute_of<Index>("sdy.sharding_group %i group_id = 1183 : tensor<i32>").number, 1183);
    EXPECT_EQ(attribute_of<Index>("sdy.sharding_group %i group_id=7 : tensor<i32>").number, 7);
    const auto barrier = [](const std::string& direction) {
        return attribute_of<Barrier>("%0 = sdy.propagation_barrier %i allowed_direction=" + direction +
                                     " : tensor<i32>");
    };
    EXPECT_TRUE(barrier("FORWARD").forwards);
    EXPECT_FALSE(barrier("FORWARD").backwards);
    EXPECT_TRUE(barrier("BACKWARD").backwards);
    EXPECT_FALSE(barrier("NONE").forwards || barrier("NONE").backwards);
    EXPECT_TRUE(barrier("BOTH").forwards && barrier("BOTH").backwards);
    EXPECT_TRUE(
        attribute_of<Barrier>("%0 = \"sdy.propagation_barrier\"(%i) <{allowed_direction = 2 : i32}> : "
                              "(tensor<i32>) -> tensor<i32>")
            .backwards);
}

}  // namespace
}  // namespace dse::ir::mlir
