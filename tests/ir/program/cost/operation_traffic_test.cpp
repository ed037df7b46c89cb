// Also tests: program/cost/fusion_traffic.cpp, program/cost/traffic_rules.cpp

#include "dse/ir/program/cost/operation_traffic.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/cost/fusion_traffic.hpp"
#include "ir/readers/hlo/hlo_text.hpp"

namespace dse::ir {
namespace {

// x is f32[64,8]: 2048 bytes; an index is 4.
double bytes(const std::string& line) {
    const Program program = hlo_instructions(
        "x = f32[64,8] parameter(0)\ni = s32[] parameter(1)\nn = s32[4] parameter(2)\nu = f32[4,8] "
        "parameter(3)\nr = " +
        line);
    return operation_traffic(program, labelled(program, "r")).bytes();
}

TEST(OperationTraffic, AreThoseOfResultsAndOperands) {
    EXPECT_EQ(bytes("f32[64,8] add(x, x)"), 3 * 2048);
    EXPECT_EQ(bytes("bf16[64,8] convert(x)"), 2048 + 1024);
    EXPECT_EQ(bytes("pred[64,8] compare(x, x), direction=LT"), 512 + 4096);
}

TEST(OperationTraffic, NamesAndGroupsOfValuesTakeNone) {
    EXPECT_EQ(bytes("f32[512] bitcast(x)"), 0);
    EXPECT_EQ(bytes("(f32[64,8], s32[]) tuple(x, i)"), 16);
    EXPECT_EQ(bytes("f32[64,8] parameter(4)"), 0);
    EXPECT_EQ(bytes("f32[8] constant({1,1,1,1,1,1,1,1})"), 0);
}

TEST(OperationTraffic, OfWhatPicksOrUpdatesElements) {
    EXPECT_EQ(bytes("f32[4,8] slice(x), slice={[0:4],[0:8]}"), 2 * 128);
    EXPECT_EQ(bytes("f32[4,8] dynamic-slice(x, i, i), dynamic_slice_sizes={4,8}"), 2 * 128 + 4);
    EXPECT_EQ(bytes("f32[4,8] gather(x, n), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
                    "index_vector_dim=1, slice_sizes={1,8}"),
              2 * 128 + 16);
    EXPECT_EQ(bytes("f32[64,8] dynamic-update-slice(x, u, i, i)"), 2 * 128 + 4);
    EXPECT_EQ(bytes("f32[64,8] scatter(x, n, u), update_window_dims={1}, inserted_window_dims={0}, "
                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply={ a = f32[] "
                    "parameter(0)\n b = f32[] "
                    "parameter(1)\n s = f32[] add(a, b) }"),
              3 * 128 + 16);
}

// Rows to columns moves memory, unless the layout turns with them or the rows are only one.
TEST(OperationTraffic, ATransposeMayLeaveMemoryAsItIs) {
    EXPECT_EQ(bytes("f32[8,64] transpose(x), dimensions={1,0}"), 2 * 2048);
    EXPECT_EQ(bytes("f32[8,64]{0,1} transpose(x), dimensions={1,0}"), 0);
    const Program one =
        hlo_instructions("x = f32[1,8] parameter(0)\nr = f32[8,1] transpose(x), dimensions={1,0}");
    EXPECT_EQ(operation_traffic(one, labelled(one, "r")).bytes(), 0);
}

TEST(OperationTraffic, FrameworksTakeViews) {
    Program program = hlo_instructions(
        "x = f32[64,8] parameter(0)\nr = f32[8,64] transpose(x), dimensions={1,0}\nc = f32[64,8] copy(x)");
    program.language = Language::fx;
    EXPECT_EQ(operation_traffic(program, labelled(program, "r")).bytes(), 0);
    EXPECT_EQ(operation_traffic(program, labelled(program, "c")).bytes(), 4096);
}

TEST(OperationTraffic, OfFactorisations) {
    const Program program = hlo_instructions(
        "a = f32[8,8] parameter(0)\nb = f32[8,2] parameter(1)\nr = f32[8,2] triangular-solve(a, b), "
        "left_side=true\nc = f32[8,8] cholesky(a), lower=true");
    EXPECT_EQ(operation_traffic(program, labelled(program, "r")).bytes(), 64 + 128 + 64);
    EXPECT_EQ(operation_traffic(program, labelled(program, "c")).bytes(), 256);
}

TEST(OperationTraffic, TellsWhatIsReadFromWhatIsWritten) {
    const Program program = hlo_instructions(
        "x = f32[64,8] parameter(0)\ni = s32[] parameter(1)\nu = f32[4,8] parameter(2)\nr = f32[64,8] "
        "dynamic-update-slice(x, u, i, i)\nc = bf16[64,8] convert(r)");
    EXPECT_EQ(operation_traffic(program, labelled(program, "r")).written, 128);
    EXPECT_EQ(operation_traffic(program, labelled(program, "r")).read, 128 + 4);
    EXPECT_EQ(operation_traffic(program, labelled(program, "c")).read, 2048);
    EXPECT_EQ(operation_traffic(program, labelled(program, "c")).written, 1024);
}

double fused(const std::string& body, const std::string& operands, const std::string& type) {
    const Program program = hlo_program(
        "f {\n" + body +
        "\n}\nENTRY e { x = f32[64,8] parameter(0)\nu = f32[1,8] parameter(1)\ni = s32[] parameter(2)\nr = " +
        type + " fusion(" + operands + "), kind=kLoop, calls=f }");
    return fusion_traffic(program, labelled(program, "r")).bytes();
}

constexpr const char* x_and_index = "x = f32[64,8] parameter(0)\ni = s32[] parameter(1)\n";

// Two users share one reading of 2048 bytes; what is between them stays inside the kernel.
TEST(FusionTraffic, OperandsAreReadOnceAndResultsWrittenOnce) {
    EXPECT_EQ(fused("x = f32[64,8] parameter(0)\na = f32[64,8] add(x, x)\nb = f32[64,8] multiply(a, x)", "x",
                    "f32[64,8]"),
              2 * 2048);
}

TEST(FusionTraffic, BroadcastsAndReshapesReadForThemselves) {
    EXPECT_EQ(fused("x = f32[64,8] parameter(0)\na = f32[512] reshape(x)\nb = f32[512] reshape(x)\nc = "
                    "f32[512] add(a, b)",
                    "x", "f32[512]"),
              2 * 2048 + 2048);
}

TEST(FusionTraffic, SlicesReadTheirOwnSize) {
    EXPECT_EQ(
        fused("x = f32[64,8] parameter(0)\ns = f32[1,8] slice(x), slice={[0:1],[0:8]}", "x", "f32[1,8]"),
        32 + 32);
    EXPECT_EQ(
        fused(std::string{x_and_index} + "s = f32[1,8] dynamic-slice(x, i, i), dynamic_slice_sizes={1,8}",
              "x, i", "f32[1,8]"),
        32 + 32 + 4);
}

// The updated array is neither read nor written but for the update of 32 bytes.
TEST(FusionTraffic, UpdatesInPlaceWriteTheUpdateOnly) {
    const std::string body = std::string{x_and_index} +
                             "u = f32[1,8] parameter(2)\nd = f32[64,8] dynamic-update-slice(x, u, i, i)";
    EXPECT_EQ(fused(body, "x, i, u", "f32[64,8]"), 32 + 4 + 32);
    EXPECT_EQ(fused(body + "\nROOT t = (f32[64,8]) tuple(d)", "x, i, u", "(f32[64,8])"), 32 + 4 + 32);
}

TEST(FusionTraffic, LargeConstantsAreRead) {
    EXPECT_EQ(fused("c = f32[16] constant({...})\nd = f32[8] constant({...})\nn = f32[16] negate(c)", "",
                    "f32[16]"),
              64 + 64);
}

TEST(FusionTraffic, FusionsInsideReadWhatTheirInstructionsRead) {
    EXPECT_EQ(fused("x = f32[64,8] parameter(0)\ng = f32[1,8] fusion(x), kind=kLoop, calls={ y = f32[64,8] "
                    "parameter(0)\n s = f32[1,8] slice(y), slice={[0:1],[0:8]} }\nn = f32[1,8] negate(g)",
                    "x", "f32[1,8]"),
              64);
}

TEST(FusionTraffic, OfTuplesOnlyTheElementsThatAreUsed) {
    const Program program = hlo_program(
        "f { t = (s8[3], s8[100]) parameter(0)\n a = s8[3] get-tuple-element(t), index=0\n b = s8[3] add(a, "
        "a) }\nENTRY e { t = (s8[3], s8[100]) parameter(0)\n r = s8[3] fusion(t), kind=kInput, calls=f }");
    EXPECT_EQ(fusion_traffic(program, labelled(program, "r")).bytes(), 3 + 3);
}

}  // namespace
}  // namespace dse::ir
