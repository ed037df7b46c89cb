#include "ir/readers/mlir/locations.hpp"

#include <gtest/gtest.h>

#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

/// The name of the location `loc(text)`, where aliases stand behind it.
std::string name_of(const std::string& text, const std::string& aliases = "") {
    const Program program =
        program_of("func.func @main(%x: tensor<4xf32>) {\n  %0 = stablehlo.negate %x : tensor<4xf32> loc(" +
                   text + ")\n  return\n}\n" + aliases);
    return std::string{program.text(first(program).label)};
}

TEST(MlirLocations, AFrameworksNameIsTheLabel) {
    EXPECT_EQ(name_of(R"("jit(f)/dot_general")"), "jit(f)/dot_general");
    EXPECT_EQ(name_of(R"("jit(f)/dot_general"("f.py":12:4))"), "jit(f)/dot_general");
    EXPECT_EQ(name_of(R"("ppermute:"("f.py":12:4 to :9))"), "ppermute");
    EXPECT_EQ(name_of(R"("bse,ef->bsf/dot)general"(unknown))"), "bse,ef->bsf/dot)general");
}

TEST(MlirLocations, APlaceInAFileIsNone) {
    EXPECT_EQ(name_of("unknown"), "");
    EXPECT_EQ(name_of(R"("f.py":12:4)"), "");
    EXPECT_EQ(name_of(R"("f.py":12:4 to 13:9)"), "");
    EXPECT_EQ(name_of(R"(#other.location<"a">)"), "");
    EXPECT_EQ(name_of(""), "");
}

TEST(MlirLocations, OfAFusionTheFirstThatHasAName) {
    EXPECT_EQ(name_of(R"(fused["f.py":1:2, unknown, "b"("g.py":1:1), "c"])"), "b");
    EXPECT_EQ(name_of(R"(fused<"pass"[1, 2]>["f.py":1:2, fused["d", "e"]])"), "d");
    EXPECT_EQ(name_of(R"(fused["f.py":1:2, unknown])"), "");
}

TEST(MlirLocations, OfACallSiteTheCallees) {
    EXPECT_EQ(name_of(R"(callsite("inner" at "outer"))"), "inner");
    EXPECT_EQ(name_of(R"(callsite("f.py":1:2 at "outer"))"), "");
}

TEST(MlirLocations, AliasesStandWhereTheyLike) {
    EXPECT_EQ(name_of("#loc2", "#loc = loc(\"f.py\":1:2)\n#loc2 = loc(\"mul\"(#loc))\n"), "mul");
    EXPECT_EQ(name_of("#loc1",
                      "#loc1 = loc(callsite(#loc2 at #loc3))\n#loc2 = loc(fused[#loc3, #loc4])\n"
                      "#loc3 = loc(unknown)\n#loc4 = loc(\"add\")\n"),
              "add");
    EXPECT_EQ(name_of("#nowhere"), "");
    EXPECT_EQ(name_of("#loc1", "#loc1 = 3 : i64\n"), "");
}

// Sixty levels of pairs are 2^60 parts; circles have no end.
TEST(MlirLocations, ManyPartsAndCirclesComeToAnEnd) {
    std::string aliases = "#a0 = loc(unknown)\n";
    for (int i = 1; i <= 60; ++i) {
        const std::string before = "#a" + std::to_string(i - 1);
        aliases += "#a" + std::to_string(i) + " = loc(fused[" + before + ", " + before + "])\n";
    }
    EXPECT_EQ(name_of("#a60", aliases), "");
    EXPECT_EQ(name_of("#a", "#a = loc(callsite(#b at #b))\n#b = loc(fused[#a, #a])\n"), "");
}

TEST(MlirLocations, RegionsAndLinesOfTheirOwn) {
    const Program program = program_of(R"(#loc = loc("x")
module @m {
  func.func @main(%x: tensor<4xf32> loc("argument"), %i: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%a: tensor<f32> loc("a"), %b: tensor<f32> loc(#loc)) {
      %1 = stablehlo.add %a, %b : tensor<f32> loc("add")
      stablehlo.return %1 : tensor<f32> loc(#loc)
    } loc(#loc9)
    return %0 : tensor<f32> loc(unknown)
  } loc("function")
} loc(#loc)
#loc9 = loc("reduce_sum"("f.py":3:4))
)");
    const Operation& reduce = first(program);
    EXPECT_EQ(program.text(reduce.label), "reduce_sum");
    const Computation& reducer = program[program.called(reduce).front()];
    EXPECT_EQ(program.text(reducer.operations[0].label), "add");
    EXPECT_EQ(program.text(reducer.operations[1].label), "x");
    EXPECT_EQ(program[program.entry].operations.back().label, no_name);
}

}  // namespace
}  // namespace dse::ir::mlir
