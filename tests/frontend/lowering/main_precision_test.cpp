#include "frontend/lowering/main_precision.hpp"

#include <gtest/gtest.h>

#include "dse/frontend/lowering/lower.hpp"
#include "dse/ir/readers/read_program.hpp"

namespace dse::frontend {
namespace {

using graph::Precision;

std::optional<Precision> of(const std::string& text) {
    const ir::Program program = ir::read_program(ir::Source::text("HloModule m\n" + text, "t.hlo"));
    return main_precision(lower(program, {}).graph);
}

// One product of 2·64³ FLOPs in fp8, in a loop of three; two in bf16 before it.
TEST(MainPrecision, WeighsProductsByTheirFlopsAndTrips) {
    const std::string contracting = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
    const auto program = [&](const std::string& trips) {
        return "cond { t = (f8e4m3fn[64,64], bf16[64,64]) parameter(0)\n ROOT c = pred[] constant(true) }\n"
               "body { t = (f8e4m3fn[64,64], bf16[64,64]) parameter(0)\n"
               " x = f8e4m3fn[64,64] get-tuple-element(t), index=0\n"
               " y = bf16[64,64] get-tuple-element(t), index=1\n d = f8e4m3fn[64,64] dot(x, x)" +
               contracting +
               " ROOT r = (f8e4m3fn[64,64], bf16[64,64]) tuple(d, y) }\n"
               "ENTRY e { x = f8e4m3fn[64,64] parameter(0)\n a = bf16[64,64] parameter(1)\n"
               " b = bf16[64,64] dot(a, a)" +
               contracting + " c = bf16[64,64] dot(b, a)" + contracting +
               " t = (f8e4m3fn[64,64], bf16[64,64]) tuple(x, c)\n"
               " ROOT w = (f8e4m3fn[64,64], bf16[64,64]) while(t), condition=cond, body=body, "
               "backend_config={\"known_trip_count\":{\"n\":\"" +
               trips + "\"}} }\n";
    };
    EXPECT_EQ(of(program("1")), Precision::bf16);
    EXPECT_EQ(of(program("3")), Precision::fp8);
}

TEST(MainPrecision, MayBeInt8) {
    EXPECT_EQ(of("ENTRY e {\n  x = s8[64,64] parameter(0)\n  ROOT y = s32[64,64] dot(x, x), "
                 "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n"),
              Precision::int8);
    const ir::Program quantised = ir::read_program(ir::Source::text(R"(module {
  func.func @main(%x: tensor<64x64x!quant.uniform<i8:f32, 0.1:3>>, %w: tensor<64x64x!quant.uniform<i8:f32, 0.2>>) -> tensor<64x64x!quant.uniform<i32:f32, 0.02>> {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x64x!quant.uniform<i8:f32, 0.1:3>>, tensor<64x64x!quant.uniform<i8:f32, 0.2>>) -> tensor<64x64x!quant.uniform<i32:f32, 0.02>>
    return %y : tensor<64x64x!quant.uniform<i32:f32, 0.02>>
  }
})",
                                                                    "t.mlir"));
    EXPECT_EQ(main_precision(lower(quantised, {}).graph), Precision::int8);
}

TEST(MainPrecision, NoneWithoutProducts) {
    EXPECT_EQ(of("ENTRY e {\n  x = f32[8] parameter(0)\n  ROOT y = f32[8] negate(x)\n}\n"), std::nullopt);
}

}  // namespace
}  // namespace dse::frontend
