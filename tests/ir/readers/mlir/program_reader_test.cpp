// Also tests: readers/mlir/settle_devices.cpp
#include "ir/readers/mlir/program_reader.hpp"

#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

TEST(MlirPrograms, ModulesHaveNamesAndDevices) {
    const Program program = program_of(R"(#loc = loc(unknown)
module @jit_f attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
  func.func public @main(%x: tensor<4xf32> loc("x")) -> (tensor<4xf32> {jax.result_info = ""}) {
    return %x : tensor<4xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("f.py":3:0)
)");
    EXPECT_EQ(program.name, "jit_f");
    EXPECT_EQ(program.language, Language::mlir);
    EXPECT_EQ(program.partitions, 4);
    EXPECT_EQ(program.replicas, 2);
    EXPECT_TRUE(program.partitioned);
    const Computation& main = program[program.entry];
    EXPECT_EQ(program.text(main.name), "main");
    EXPECT_EQ(main.line, 3U);
    EXPECT_EQ(main.operations[0].opcode, Opcode::terminator);
    EXPECT_EQ(main.results, main.arguments);
}

TEST(MlirPrograms, WhollyGeneric) {
    const Program program = program_of(R"("builtin.module"() ({
  "func.func"() ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "mhlo.add"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "forward"} : () -> ()
}) {sym_name = "g", mhlo.num_partitions = 2 : i32} : () -> ())");
    EXPECT_EQ(program.name, "g");
    EXPECT_EQ(program.partitions, 2);
    EXPECT_EQ(program.text(program[program.entry].name), "forward");
    EXPECT_EQ(program[program.entry].operations.size(), 2U);
    EXPECT_EQ(program[program.entry].arguments.size(), 1U);
}

TEST(MlirPrograms, TheEntry) {
    const auto entry = [](const std::string& text) {
        const Program program = program_of(text);
        return std::string{program.text(program[program.entry].name)};
    };
    EXPECT_EQ(entry("func.func @a() { return }\nfunc.func @main() { return }"), "main");
    EXPECT_EQ(entry("func.func private @a() { return }\nfunc.func @b() { return }"), "b");
    EXPECT_EQ(entry("func.func @a()\nfunc.func private @b() { return }"), "b");
}

TEST(MlirPrograms, RegionsSeeWhatIsAroundThem) {
    const Program program = program_of(R"(
func.func @main(%x: tensor<i32>) {
  %c = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %c : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  %2 = "stablehlo.if"(%x) ({
    stablehlo.return %0 : tensor<i32>
  }, {
    stablehlo.return %c : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
})");
    const auto& operations = program[program.entry].operations;
    EXPECT_EQ(operations[1].opcode, Opcode::while_loop);
    ASSERT_EQ(program.called(operations[1]).size(), 2U);
    const Computation& condition = program[program.called(operations[1])[0]];
    EXPECT_EQ(condition.operations[0].opcode, Opcode::compare);
    EXPECT_EQ(program.operands(condition.operations[0])[1], Program::result(operations[0]));
    EXPECT_EQ(program[program.called(operations[1])[1]].operations[0].opcode, Opcode::add);
    EXPECT_EQ(program.called(operations[2]).size(), 2U);
}

// i from 2 while i < 12 in steps of 3: 2, 5, 8, 11.
TEST(MlirPrograms, LoopsHaveTheirTripCount) {
    const Program program = program_of(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %c_0 = stablehlo.constant dense<12> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %y = %x) : tensor<i32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %1 = func.call @body(%y) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.add %i, %c_1 : tensor<i32>
    stablehlo.return %2, %1 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
)");
    EXPECT_EQ(program.attribute_if<Loop>(program[program.entry].operations[2])->trip_count, 4);
}

TEST(MlirPrograms, DonatedArguments) {
    const Program program = program_of(
        "func.func @main(%t: tuple<tensor<i32>, tensor<i32>>, %a: tensor<4xf32> {tf.aliasing_output = 0 : "
        "i32}, "
        "%b: tensor<4xf32> {jax.buffer_donor = true}) -> tensor<4xf32> { return %a : tensor<4xf32> }\n"
        "func.func @other(%a: tensor<4xf32> {jax.buffer_donor = true}) { return }");
    EXPECT_EQ(program.aliases, (std::vector<BufferAlias>{{0, 2}, {BufferAlias::any_result, 3}}));
}

// Groups of cross_replica are replicas; others count partitions.
TEST(MlirPrograms, GroupsTellHowManyDevicesThereAre) {
    const auto gather = [](const std::string& channel) {
        return program_of(
            "func.func @main(%x: tensor<4xf32>) {\n  %0 = \"stablehlo.all_gather\"(%x) "
            "{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>" +
            channel + "} : (tensor<4xf32>) -> tensor<16xf32>\n  return }");
    };
    EXPECT_EQ(gather("").replicas, 4);
    EXPECT_EQ(gather("").partitions, 1);
    EXPECT_TRUE(gather("").partitioned);
    EXPECT_EQ(
        gather(", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids")
            .partitions,
        4);
}

TEST(MlirPrograms, ForeignOperationsAreKeptByName) {
    const Program program = program_of(R"(
func.func @main(%x: !torch.vtensor<[2,3],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.aten.tanh %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  util.optimization_barrier %0 : !torch.vtensor<[2,3],f32>
  return
})");
    const auto& operations = program[program.entry].operations;
    ASSERT_EQ(operations.size(), 4U);
    EXPECT_EQ(program.text(operations[0].name), "torch.constant.int");
    EXPECT_EQ(operations[1].opcode, Opcode::unknown);
    EXPECT_EQ(program.types.text(program.type_of(Program::result(operations[1]))), "f32[2,3]");
}

TEST(MlirPrograms, WhatIsCutOffIsRefused) {
    EXPECT_EQ(refusal_of("module {\n  func.func @main() {\n    return\n"),
              "t.mlir:4:1: the region that line 2 opens is not closed; found the end of the text");
    EXPECT_EQ(refusal_of("module {\n  func.func @main() { return }\n"),
              "t.mlir:3:1: the module that line 1 opens is not closed; found the end of the text");
    EXPECT_EQ(refusal_of("func.func @main() { return }\n}"), "t.mlir:2:1: unmatched '}'");
    EXPECT_NE(refusal_of("func.func @main(%x: tensor<4xf32>) {\n  %0 = stablehlo.add(%x,\n"), "");
    EXPECT_NE(refusal_of("func.func @main() {\n// -----\nfunc.func @g() { return }"), "");
}

TEST(MlirPrograms, ContradictionsAreRefused) {
    // Functions see nothing around them.
    EXPECT_EQ(refusal_of("module {\n  %c = stablehlo.constant dense<1> : tensor<i32>\n"
                         "  func.func @f() -> tensor<i32> {\n    return %c : tensor<i32>\n  }\n}"),
              "t.mlir:4:12: %c is not defined");
    EXPECT_EQ(refusal_of("module {\n  %c = stablehlo.constant dense<1> : tensor<i32>\n"
                         "  \"func.func\"() <{sym_name = \"f\", function_type = () -> tensor<i32>}> ({\n"
                         "    \"func.return\"(%c) : (tensor<i32>) -> ()\n  }) : () -> ()\n}"),
              "t.mlir:4:19: %c is not defined");
    EXPECT_EQ(refusal_of("func.func @f() { return }\nfunc.func @f() { return }"),
              "t.mlir:2:12: the function @f is defined already");
    EXPECT_EQ(
        refusal_of("func.func @f() {\n  cf.br ^bb1\n^bb1:\n  return\n}"),
        "t.mlir:2:9: 'cf.br' branches to other blocks of its region: only structured control flow is read "
        "(while, case, if)");
    EXPECT_EQ(refusal_of("func.func @f() {\n  d.op\n^bb1:\n  return\n}"),
              "t.mlir:3:1: the region has several blocks: only structured control flow is read");
    EXPECT_EQ(refusal_of("module attributes {mhlo.num_partitions = 0 : i32} {\n}"),
              "t.mlir:1:42: the numbers of replicas and partitions must be at least 1");
    EXPECT_EQ(refusal_of("func.func @f() {\n  addf\n  return\n}"),
              "t.mlir:2:7: 'addf' is not an operation: it has no dialect");
    EXPECT_EQ(refusal_of("// nothing\n"), "t.mlir:2:1: there is no function and no operation");
}

TEST(MlirPrograms, FunctionsReturnWhatTheyState) {
    EXPECT_EQ(refusal_of("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                         "  %y = stablehlo.negate %x : tensor<4xf32>\n}"),
              "t.mlir:1:12: @f declares 1 results, but returns 0");
    EXPECT_EQ(refusal_of("func.func @f(%x: tensor<4xf32>) -> tensor<2x2xf32> {\n"
                         "  return %x : tensor<4xf32>\n}"),
              "t.mlir:1:12: @f declares f32[2,2] as its result 1, but returns f32[4]");
    EXPECT_EQ(refusal_of("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n"
                         "  %y = stablehlo.negate %x : tensor<4xf32>\n}"),
              "t.mlir:3:8: 'stablehlo.negate': it follows line 2, which ends its region");
}

TEST(MlirPrograms, CallsTakeWhatIsReturned) {
    const std::string callee =
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }\n";
    EXPECT_EQ(
        refusal_of(callee +
                   "func.func @main(%x: tensor<4xf32>) {\n"
                   "  %y:2 = call @f(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)\n  return\n}"),
        "t.mlir:3:16: @f returns 1 values, but 2 are taken");
    EXPECT_EQ(refusal_of(callee + "func.func @main(%x: tensor<4xf32>) {\n"
                                  "  %y = call @f(%x) : (tensor<4xf32>) -> tensor<2x2xf32>\n  return\n}"),
              "t.mlir:3:14: result 1 of @f is f32[4], but its type here is f32[2,2]");
}

TEST(MlirPrograms, DeepNestingIsRefused) {
    std::string deep = "func.func @f() {\n";
    for (int i = 0; i < 10'000; ++i) deep += "\"d.op\"() ({\n";
    EXPECT_NE(refusal_of(deep).find("regions are nested too deeply"), std::string::npos);
    std::string modules;
    for (int i = 0; i < 10'000; ++i) modules += "module {\n";
    EXPECT_NE(refusal_of(modules).find("modules are nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace dse::ir::mlir
