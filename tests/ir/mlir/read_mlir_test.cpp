#include "dse/ir/mlir/read_mlir.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(ReadMlir, ReadsAFunction) {
    const Source source = Source::text(R"(module @m {
  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %x : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
)",
                                       "add.mlir");
    const Program program = read_mlir(source);
    validate(program);
    ASSERT_EQ(program[program.entry].operations.size(), 2U);
    EXPECT_EQ(program[program.entry].operations[0].opcode, Opcode::add);
}

}  // namespace
}  // namespace dse::ir
