#include "ir/mlir/sharding_text.hpp"

#include <gtest/gtest.h>

#include "ir/mlir/mlir_text.hpp"

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
        return leaves.empty() ? 0 : parts_of(leaves.at(0).dimensions.at(0));
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

}  // namespace
}  // namespace dse::ir::mlir
