// Also tests: program/cost/program_cost.cpp

#include "dse/ir/program/cost/cost_analysis.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "ir/program/cost/operation_flops.hpp"
#include "ir/readers/hlo/hlo_text.hpp"

namespace dse::ir {
namespace {

const std::string sum = "to_apply={ a = f32[] parameter(0)\n b = f32[] parameter(1)\n s = f32[] add(a, b) }";

Cost cost(const std::string& lines) {
    const Program program = hlo_instructions("x = f32[64,8] parameter(0)\nz = f32[] parameter(1)\n" + lines);
    const ForeignCosts foreign;
    return CostAnalysis{program, foreign, LoopCounting::once}.operation(labelled(program, "r"));
}

TEST(OperationFlops, OneAnElement) {
    EXPECT_EQ(cost("r = f32[64,8] add(x, x)").flops, 512);
    EXPECT_EQ(cost("r = f32[64,8] tanh(x)").flops, 0);
    EXPECT_EQ(cost("r = f32[64,8] tanh(x)").transcendentals, 512);
    EXPECT_EQ(cost("r = f32[8,64] transpose(x), dimensions={1,0}").flops, 0);
}

TEST(OperationFlops, FunctionsCountAsOftenAsTheyAreApplied) {
    EXPECT_EQ(cost("r = f32[64] reduce(x, z), dimensions={1}, " + sum).flops, 512 - 64);
    EXPECT_EQ(cost("r = f32[64,8] map(x), to_apply={ a = f32[] parameter(0)\n b = f32[] multiply(a, a)\n c = "
                   "f32[] exponential(b) }")
                  .transcendentals,
              512);
    EXPECT_EQ(cost("r = f32[64,7] reduce-window(x, z), window={size=1x2}, " + sum).flops, 64 * 7);
    EXPECT_EQ(cost("n = s32[4] iota(), iota_dimension=0\nu = f32[4,8] constant({...})\nr = f32[64,8] "
                   "scatter(x, n, u), update_window_dims={1}, inserted_window_dims={0}, "
                   "scatter_dims_to_operand_dims={0}, index_vector_dim=1, " +
                   sum)
                  .flops,
              32);
}

// A window of 2n − 1 with n − 1 elements of padding on both sides sums up the whole dimension at each place:
// 64 rows, and 8 − 1 additions that the places share.
TEST(OperationFlops, AWindowOverAWholeDimensionIsAReduction) {
    EXPECT_EQ(cost("r = f32[64,8] reduce-window(x, z), window={size=1x15 pad=0_0x7_7}, " + sum).flops,
              64 + 7);
}

// XLA's count of [64,8] × [8,64] is 2·64·64·8 = 65536; (a+bi)(c+di) takes four real products, and adds four.
TEST(OperationFlops, ComplexProductsTakeFourRealOnes) {
    const std::string contracting = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}";
    const Cost product = cost(
        "y = c64[64,8] constant({...})\nw = c64[8,64] constant({...})\n"
        "r = c64[64,64] dot(y, w)" +
        contracting);
    EXPECT_EQ(product.dot, 65536);
    EXPECT_EQ(product.flops, 65536);
    EXPECT_EQ(product.executed(), 4 * 65536);
    const Cost real = cost("w = f32[8,64] constant({...})\nr = f32[64,64] dot(x, w)" + contracting);
    EXPECT_EQ(real.dot, 65536);
    EXPECT_EQ(real.executed(), 65536);
    EXPECT_EQ(cost("y = c64[64,8] constant({...})\nr = c64[64,8] add(y, y)").executed(), 0);
}

TEST(OperationFlops, OfSelectAndScatter) {
    EXPECT_EQ(cost("g = f32[32,8] constant({...})\nr = f32[64,8] select-and-scatter(x, g, z), "
                   "window={size=2x1 stride=2x1}, "
                   "select={ a = f32[] parameter(0)\n b = f32[] parameter(1)\n s = pred[] compare(a, b), "
                   "direction=GE }, "
                   "scatter={ a = f32[] parameter(0)\n b = f32[] parameter(1)\n s = f32[] add(a, b) }")
                  .flops,
              256 * (2 - 1) + 256);
}

TEST(OperationFlops, OfAlgorithms) {
    EXPECT_EQ(cost("r = f32[64,8] sort(x), dimensions={1}, to_apply={ a = f32[] parameter(0)\n b = f32[] "
                   "parameter(1)\n s = pred[] compare(a, b), direction=LT }")
                  .flops,
              512 * 9);
    EXPECT_EQ(
        cost("c = c64[64,8] constant({...})\nr = c64[64,8] fft(c), fft_type=FFT, fft_length={64,8}").flops,
        8 * 512 * 6 * 3);
    EXPECT_EQ(cost("a = f32[8,8] constant({...})\nr = f32[8,8] cholesky(a), lower=true").flops,
              170);  // ⌊512 / 3⌋
    EXPECT_EQ(cost("a = f32[8,8] constant({...})\nb = f32[8,2] constant({...})\nr = f32[8,2] "
                   "triangular-solve(a, b), left_side=true")
                  .flops,
              2 * 16 * 8);
    EXPECT_EQ(cost("r = f32[64,8] rng(z, z), distribution=rng_uniform").transcendentals, 512);
    EXPECT_EQ(cost("r = f32[64,8] all-reduce(x), " + sum).flops, 512);
}

// aten's operators have no HLO; a tuple stands for what they give. Forward: 2 · 2·8·4·4 places · 3·3·3.
TEST(OperationFlops, OfAConvolutionsGradients) {
    const auto flops = [](const std::string& results) {
        Program program = hlo_instructions(
            "g = f32[2,8,4,4] parameter(0)\nx = f32[2,3,4,4] parameter(1)\nw = f32[8,3,3,3] parameter(2)\nr "
            "= " +
            results + " custom-call(g, x, w), custom_call_target=\"aten\"");
        program.computations[program.entry.index()].operations[3].opcode = Opcode::convolution_backward;
        return operation_flops(program, labelled(program, "r"), {}).flops;
    };
    const double forward = 2.0 * (2 * 8 * 4 * 4) * (3 * 3 * 3);
    EXPECT_EQ(flops("(f32[2,3,4,4], f32[8,3,3,3], f32[8])"), 2 * forward);
    EXPECT_EQ(flops("(opaque[], f32[8,3,3,3])"), forward);
}

TEST(CostAnalysis, AFusionComputesAllAndMovesItsBorder) {
    const Cost fused = cost(
        "r = f32[64] fusion(x), kind=kInput, calls={ x = f32[64,8] parameter(0)\n z = f32[] constant(0)\n n "
        "= f32[64,8] negate(x)\n s = f32[64] reduce(n, z), dimensions={1}, " +
        sum + " }");
    EXPECT_EQ(fused.flops, 512 + 448);
    EXPECT_EQ(fused.bytes, 2048 + 256);
}

TEST(CostAnalysis, AConditionalTakesItsDearestBranch) {
    const Program program = hlo_program(R"(small { x = f32[8] parameter(0)
  n = f32[8] tanh(x) }
large { x = f32[8] parameter(0)
  n = f32[8] negate(x)
  m = f32[8] negate(n) }
ENTRY e { p = pred[] parameter(0)
  x = f32[8] parameter(1)
  r = f32[8] conditional(p, x, x), true_computation=small, false_computation=large })");
    const ForeignCosts foreign;
    const Cost cost = CostAnalysis{program, foreign, LoopCounting::once}.computation(program.entry);
    EXPECT_EQ(cost.flops, 16);
    EXPECT_EQ(cost.transcendentals, 8);
    EXPECT_EQ(cost.bytes, 128);
}

constexpr const char* loop = R"(HloModule m, num_partitions=2
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  s = f32[] add(a, b) }
cond { t = (s32[], f32[4,4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(10)
  c = pred[] compare(i, n), direction=LT }
body { t = (s32[], f32[4,4]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[4,4] get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[4,4] all-reduce(y), to_apply=add
  r = (s32[], f32[4,4]) tuple(j, z) }
ENTRY e { x = f32[4,4] parameter(0)
  i = s32[] constant(0)
  t = (s32[], f32[4,4]) tuple(i, x)
  w = (s32[], f32[4,4]) while(t), condition=cond, body=body
  y = f32[4,4] get-tuple-element(w), index=1
  s = ((f32[4,4]), f32[4,4]) all-reduce-start(y), to_apply=add
  d = f32[4,4] all-reduce-done(s)
  f = f32[4,4] custom-call(d), custom_call_target="somebody_elses" })";

// A body: 1 (counter) + 128 (product) + 16 (reduction); the condition 1; the reduction behind it 16.
TEST(ProgramCost, LoopsCountOnceOrAsOftenAsTheyRun) {
    const ProgramCost cost = program_cost(hlo_program(loop));
    EXPECT_EQ(cost.once.flops, 1 + 128 + 16 + 1 + 16);
    EXPECT_EQ(cost.by_trips.flops, 10 * (1 + 128 + 16 + 1) + 16);
    EXPECT_EQ(cost.by_trips.products(), 10 * 128);
    EXPECT_EQ(cost.endless_loops, 0);
    ASSERT_EQ(cost.collectives.size(), 1U);
    EXPECT_EQ(cost.collectives[0].kind, Opcode::all_reduce);
    EXPECT_EQ(cost.collectives[0].count, 11);
    EXPECT_EQ(cost.collectives[0].bytes, 11 * 64);
}

TEST(ProgramCost, CountsOperatorsAndListsWhatIsUnknown) {
    const ProgramCost cost = program_cost(hlo_program(loop));
    EXPECT_EQ(cost.operators.at("all-reduce-start"), 1);
    EXPECT_EQ(cost.operators.at("parameter"), 5);
    EXPECT_EQ(cost.operators.at("get-tuple-element"), 4);
    EXPECT_EQ(cost.unknown, (std::map<std::string, std::int64_t>{{"somebody_elses", 1}}));
}

TEST(ProgramCost, WhatTheReaderAddedIsNotCounted) {
    const ProgramCost cost =
        program_cost(hlo_instructions("p = f32[8] parameter(0)\ns = ((f32[8]), f32[8]) all-to-all-start(p), "
                                      "replica_groups={{0,1}}\nd = f32[8] all-to-all-done(s)"));
    EXPECT_EQ(cost.operators, (std::map<std::string, std::int64_t>{
                                  {"parameter", 1}, {"all-to-all-start", 1}, {"all-to-all-done", 1}}));
    EXPECT_EQ(cost.collectives.at(0).bytes, 32);
    // The wrapped exchange moves 2 × 32 bytes; the end hands on 32 and looks at two pointers.
    EXPECT_EQ(cost.once.bytes, 64 + 32 + 16);
}

// A tuple sends what it holds; the buffers and places of a permutation into place are not sent.
TEST(ProgramCost, CollectivesSendTheirArrays) {
    EXPECT_EQ(program_cost(hlo_instructions("t = (f32[8], f32[4]) parameter(0)\nr = (f32[8], f32[4]) "
                                            "collective-permute(t), source_target_pairs={{0,1}}"))
                  .collectives.at(0)
                  .bytes,
              48);
    EXPECT_EQ(
        program_cost(
            hlo_instructions(
                "x = f32[8] parameter(0)\ny = f32[64] parameter(1)\ni = (s32[]) parameter(2)\nr = f32[64] "
                "collective-permute(x, y, i, i), source_target_pairs={{0,1}}, slice_sizes={{8}}"))
            .collectives.at(0)
            .bytes,
        32);
}

// 32 bytes on each of 4: of a gather three parts are sent on, of a sum three quarters twice, of an exchange
// and of a scattered sum three quarters once.
TEST(ProgramCost, RingsSendAllButOnesOwnPart) {
    const auto sent = [](const std::string& collective) {
        return program_cost(hlo_instructions("x = f32[8] parameter(0)\nr = " + collective +
                                             ", replica_groups={{0,1,2,3}}"))
            .collectives.at(0)
            .sent;
    };
    EXPECT_EQ(sent("f32[32] all-gather(x), dimensions={0}"), 3 * 32);
    EXPECT_EQ(sent("f32[8] all-reduce(x)"), 2 * 24);
    EXPECT_EQ(sent("f32[2] reduce-scatter(x), dimensions={0}"), 24);
    EXPECT_EQ(sent("f32[8] all-to-all(x), dimensions={0}"), 24);
}

// Each calls the one before twice: 2^60 applications, looked at 61 times.
TEST(ProgramCost, LooksAtAComputationOnce) {
    std::string text = "c0 { x = f32[] parameter(0)\n n = f32[] negate(x) }\n";
    for (int i = 1; i <= 60; ++i) {
        const std::string last = "c" + std::to_string(i - 1);
        text += "c" + std::to_string(i) + " { x = f32[] parameter(0)\n a = f32[] call(x), to_apply=" + last +
                "\n b = f32[] call(a), to_apply=" + last + " }\n";
    }
    EXPECT_EQ(program_cost(hlo_program(text)).once.flops, std::ldexp(1.0, 60));
}

}  // namespace
}  // namespace dse::ir
