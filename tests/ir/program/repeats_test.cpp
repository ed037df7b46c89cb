#include "ir/program/repeats.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "dse/ir/readers/read_program.hpp"
#include "support/source_dir.hpp"

namespace dse::ir {
namespace {

TEST(Repeats, AreWhatJaxNamesSo) {
    const Program program = read_hlo(Source::text(R"(HloModule step
ENTRY main {
  x = f32[4,4] parameter(0)
  y = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/jvp()/checkpoint/dot_general"}
  z = f32[4,4] dot(y, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/transpose(jvp())/checkpoint/rematted_computation/dot_general"}
  ROOT w = f32[4,4] dot(z, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
                                                  "step.hlo"));
    std::vector<bool> found;
    for (const Operation& operation : program[program.entry].operations) found.push_back(operation.repeats);
    EXPECT_EQ(found, (std::vector{false, false, true, false}));
    EXPECT_EQ(program_cost(program).once.surplus, 2.0 * 4 * 4 * 4);
}

// An attention kernel that is done again is a foreign call: 4·B·H·S²·D FLOPs, of [B, S, H, D].
TEST(Repeats, CountForeignCalls) {
    const Program program = read_hlo(Source::text(R"(HloModule step
ENTRY main {
  q = bf16[1,2,8,4] parameter(0)
  ROOT a = bf16[1,2,8,4] custom-call(q, q, q), custom_call_target="dse.flash_attention", metadata={op_name="jit(f)/checkpoint/rematted_computation/flash"}
})",
                                                  "step.hlo"));
    const Cost cost = program_cost(program).once;
    EXPECT_EQ(cost.foreign_flops, 4.0 * 1 * 8 * 2 * 2 * 4);
    EXPECT_EQ(cost.surplus, cost.foreign_flops);
}

// A function is called from what JAX makes again: only inlined its operations have the call's name before
// theirs.
TEST(Repeats, AreThoseOfCalledFunctions) {
    const Program program = read_mlir(Source::text(R"(module {
  func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %y = call @f(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("jit(f)/checkpoint/rematted_computation/f")
    %z = call @f(%y) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("jit(f)/checkpoint/f")
    return %z : tensor<4x4xf32>
  }
  func.func private @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("dot_general")
    return %y : tensor<4x4xf32>
  }
})",
                                                   "step.mlir"));
    const Program inlined = inline_calls(program, Inlined::everything);
    EXPECT_EQ(program_cost(inlined).once.dot, 2 * 2.0 * 4 * 4 * 4);
    EXPECT_EQ(program_cost(inlined).once.surplus, 2.0 * 4 * 4 * 4);
}

// The manifest of the capture states the model's FLOPs on all devices, and those that JAX counts with what
// jax.checkpoint makes again.
TEST(Repeats, WithoutThemAStepDoesTheModelsWork) {
    const std::string name = DSE_SOURCE_DIR "/workloads/captures/jax/llama3_8b_fsdp8_remat";
    const auto manifest = nlohmann::json::parse(std::ifstream{name + ".json"});
    const Cost cost = program_cost(read_program(Source::file(name + ".after_spmd.hlo.gz"))).by_trips;
    EXPECT_EQ(8 * cost.dot, manifest["dot_flops"].get<double>());
    EXPECT_EQ(8 * (cost.dot - cost.surplus), manifest["model_flops"].get<double>());
}

}  // namespace
}  // namespace dse::ir
