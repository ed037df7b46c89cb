// Also tests: readers/mlir/operation_table.cpp, readers/mlir/meaning.cpp
#include "ir/readers/mlir/operation_writer.hpp"

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirOperations, TheirNames) {
    EXPECT_EQ(known_operation("stablehlo.add").opcode, Opcode::add);
    EXPECT_EQ(known_operation("mhlo.dot_general").opcode, Opcode::dot);
    EXPECT_EQ(known_operation("stablehlo.cross-replica-sum").opcode, Opcode::all_reduce);
    EXPECT_EQ(known_operation("chlo.broadcast_add").opcode, Opcode::add);
    EXPECT_EQ(known_operation("chlo.broadcast_compare").opcode, Opcode::compare);
    EXPECT_EQ(known_operation("chlo.top_k").opcode, Opcode::topk);
    EXPECT_EQ(known_operation("stablehlo.if").opcode, Opcode::conditional);
    EXPECT_EQ(known_operation("sdy.all_slice").opcode, Opcode::reshard);
    EXPECT_EQ(known_operation("call").opcode, Opcode::call);
    EXPECT_EQ(known_operation("linalg.matmul").opcode, Opcode::unknown);
    EXPECT_EQ(known_operation("stablehlo.no_such").opcode, Opcode::unknown);
}

TEST(MlirOperations, EveryOneOfStableHloIsKnown) {
    // Source: the StableHLO specification's list of operations; those that only name a constant left out.
    std::istringstream names{
        "abs add after_all all_gather all_reduce all_to_all and atan2 batch_norm_grad "
        "batch_norm_inference batch_norm_training bitcast_convert broadcast_in_dim case cbrt ceil "
        "cholesky clamp collective_broadcast collective_permute collective_reduce compare complex "
        "composite concatenate constant convert convolution cosine count_leading_zeros custom_call "
        "divide dot_general dynamic_broadcast_in_dim dynamic_conv dynamic_gather dynamic_iota "
        "dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice exponential "
        "exponential_minus_one fft floor gather get_dimension_size get_tuple_element if imag infeed "
        "iota is_finite log log_plus_one logistic map maximum minimum multiply negate not "
        "optimization_barrier or outfeed pad partition_id popcnt power real recv reduce "
        "reduce_precision reduce_scatter reduce_window remainder replica_id reshape reverse rng "
        "rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter select "
        "select_and_scatter send shift_left shift_right_arithmetic shift_right_logical sign sine "
        "slice sort sqrt subtract tan tanh transpose triangular_solve tuple uniform_dequantize "
        "uniform_quantize while xor"};
    for (std::string name; names >> name;)
        EXPECT_NE(known_operation("stablehlo." + name).opcode, Opcode::unknown) << name;
}

TEST(MlirOperations, EveryOneOfChloIsKnown) {
    // Source: ChloOps.td; operations with implicit broadcasting, scan and what only names a constant left
    // out.
    std::istringstream names{
        "acos acosh asin asinh atan atanh bessel_i1e conj constant_like cosh digamma erf erf_inv erfc is_inf "
        "is_neg_inf is_pos_inf lgamma mulhi next_after polygamma ragged_dot sinh square tan top_k zeta"};
    for (std::string name; names >> name;)
        EXPECT_NE(known_operation("chlo." + name).opcode, Opcode::unknown) << name;
    EXPECT_EQ(known_operation("chlo.atan").opcode, Opcode::special);
}

TEST(MlirOperations, ResultTypes) {
    const Program program = program_of(R"(
func.func @main(%p: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) {
  %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<4xf32>
  %1:2 = stablehlo.optimization_barrier %0, %p : tensor<4xf32>, tensor<i1>
  %2 = stablehlo.compare EQ, %1#0, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  "stablehlo.custom_call"(%2) {call_target_name = "f"} : (tensor<4xi1>) -> ()
  %3 = stablehlo.create_token : !stablehlo.token
  return
})");
    const auto& operations = program[program.entry].operations;
    const auto type = [&](std::size_t operation, std::size_t i) {
        return program.types.text(program.type_of(Program::result(operations[operation], i)));
    };
    EXPECT_EQ(type(0, 0), "f32[4]");
    EXPECT_EQ(type(1, 0), "f32[4]");
    EXPECT_EQ(type(1, 1), "pred[]");
    EXPECT_EQ(type(2, 0), "pred[4]");
    EXPECT_EQ(operations[3].results.count, 0U);
    EXPECT_EQ(type(4, 0), "token");
}

TEST(MlirOperations, ContradictionsAreRefused) {
    const std::string head = "func.func @main(%a: tensor<4xf32>, %b: tensor<2xf32>) {\n";
    EXPECT_EQ(
        refusal_of(head + "%0 = stablehlo.compare EQ, %a, %a : (tensor<4xf32>) -> tensor<4xi1>\nreturn }"),
        "t.mlir:2:6: 'stablehlo.compare': 2 operands, but 1 operand types");
    EXPECT_EQ(refusal_of(head + "%0 = stablehlo.reshape %b : (tensor<4xf32>) -> tensor<4xf32>\nreturn }"),
              "t.mlir:2:6: 'stablehlo.reshape': operand 1 is f32[2], but its type here is f32[4]");
    EXPECT_EQ(refusal_of(head + "%0:2 = stablehlo.reshape %a : (tensor<4xf32>) -> tensor<4xf32>\nreturn }"),
              "t.mlir:2:8: 'stablehlo.reshape': 2 results have names, but 1 have types");
    EXPECT_EQ(refusal_of(head + "%0 = stablehlo.add %a, %a\nreturn }"),
              "t.mlir:2:6: 'stablehlo.add': expected ':' and its type");
    EXPECT_EQ(refusal_of(head + "%a = stablehlo.add %a, %a : tensor<4xf32>\nreturn }"),
              "t.mlir:2:2: %a is defined already");
}

TEST(MlirOperations, WhatMakesNoSenseIsRefused) {
    const std::string head = "func.func @main(%a: tensor<4xf32>, %b: tensor<2xf32>) {\n";
    EXPECT_EQ(refusal_of(head + "%0 = \"stablehlo.case\"(%a) : (tensor<4xf32>) -> tensor<4xf32>\nreturn }"),
              "t.mlir:2:7: 'stablehlo.case': it takes 1 computations, but has 0");
    EXPECT_EQ(
        refusal_of(head +
                   "%0 = stablehlo.dot %a, %b : (tensor<4xf32>, tensor<2xf32>) -> tensor<f32>\nreturn }"),
        "t.mlir:2:6: 'stablehlo.dot': the product contracts a dimension of 4 with one of 2");
    EXPECT_EQ(
        refusal_of(head + "%0 = stablehlo.reduce(%a init: %b) applies stablehlo.compare across dimensions = "
                          "[0] : (tensor<4xf32>, tensor<2xf32>) -> tensor<f32>\nreturn }"),
        "t.mlir:2:6: 'stablehlo.reduce': it cannot apply 'stablehlo.compare'");
    EXPECT_EQ(
        refusal_of(head + "%0 = stablehlo.while(%x = %a) : tensor<4xf32>\ncond { stablehlo.return %x : "
                          "tensor<4xf32> } do { stablehlo.return %x, %x : tensor<4xf32>, tensor<4xf32> }\n"
                          "return }"),
        "t.mlir:2:6: 'stablehlo.while': it carries 1 values, but its regions or results have 2");
    EXPECT_EQ(refusal_of(head + "%0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>\nreturn }"),
              "t.mlir:2:12: @main takes 2 arguments, but 1 are given");
}

TEST(MlirOperations, ReductionsHaveARegion) {
    const Program program = program_of(R"(
func.func @main(%a: tensor<4x8xf32>, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.maximum across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
})");
    ASSERT_EQ(program.called(first(program)).size(), 1U);
    const Computation& region = program[program.called(first(program))[0]];
    ASSERT_EQ(region.operations.size(), 2U);
    EXPECT_EQ(region.operations[0].opcode, Opcode::maximum);
    EXPECT_EQ(program.text(region.operations[0].name), "stablehlo.maximum");
    EXPECT_EQ(region.operations[1].name, no_name);
    EXPECT_EQ(program.types.text(program.type_of(region.arguments[0])), "f32[]");
    EXPECT_EQ(region.results.size(), 1U);
}

TEST(MlirOperations, CallsAreResolvedAtTheEnd) {
    const Program program = program_of(R"(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "func.call"(%0) <{callee = @"f.1"}> : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
func.func private @"f.1"(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
)");
    const auto& operations = program[program.entry].operations;
    EXPECT_EQ(program.text(program[program.called(operations[0])[0]].name), "f");
    EXPECT_EQ(program.text(program[program.called(operations[1])[0]].name), "f.1");
    EXPECT_EQ(refusal_of("func.func @main() {\n  call @mian() : () -> ()\n  return\n}"),
              "t.mlir:2:9: there is no function @mian (did you mean 'main'?)");
}

TEST(MlirOperations, FunctionsMayNotCallThemselves) {
    EXPECT_EQ(refusal_of("func.func @main() {\n  call @f() : () -> ()\n  return\n}\n"
                         "func.func private @f() {\n  call @g() : () -> ()\n  return\n}\n"
                         "func.func private @g() {\n  call @f() : () -> ()\n  return\n}"),
              "t.mlir:2:9: @f calls itself, directly or through others");
}

}  // namespace
}  // namespace dse::ir::mlir
