#include "dse/ir/readers/read_program.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir {
namespace {

Language language(const char* text, const char* name = "file") {
    return language_of(Source::text(text, name));
}

TEST(ReadProgram, TellsLanguagesByHowTheyBegin) {
    EXPECT_EQ(language("// made by hand\n\nHloModule m\n"), Language::hlo);
    EXPECT_EQ(language("module @jit_f {\n}\n"), Language::mlir);
    EXPECT_EQ(language("#loc = loc(unknown)\nmodule {}\n"), Language::mlir);
    EXPECT_EQ(language("class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n"),
              Language::fx);
    EXPECT_EQ(language("%add (a: f32[]) -> f32[] {\n"), Language::hlo);
}

TEST(ReadProgram, ElseByTheName) {
    EXPECT_EQ(language("foo", "a/b.hlo.txt.gz"), Language::hlo);
    EXPECT_EQ(language("foo", "b.mlir"), Language::mlir);
    EXPECT_EQ(language("foo", "b.log"), Language::fx);
    EXPECT_THROW(language("foo", "b.json"), InputError);
}

TEST(ReadProgram, RefusesMoreDevicesThanTablesHold) {
    const std::string text =
        "HloModule m, num_partitions=9223372036854775807\nENTRY main {\n  ROOT x = f32[4] parameter(0)\n}\n";
    EXPECT_THROW(read_program(Source::text(text, "m.hlo")), InputError);
    EXPECT_THROW(read_programs(Source::text(text, "m.hlo")), InputError);
}

TEST(ReadProgram, ReadsEachLanguage) {
    const Program hlo = read_program(Source::text(
        "HloModule m\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT y = f32[4] negate(x)\n}\n", "m.hlo"));
    EXPECT_EQ(hlo.language, Language::hlo);
    EXPECT_EQ(hlo[hlo.entry].operations.size(), 2);
    const Program mlir = read_program(
        Source::text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                     "  %y = stablehlo.negate %x : tensor<4xf32>\n  return %y : tensor<4xf32>\n}\n",
                     "m.mlir"));
    EXPECT_EQ(mlir.language, Language::mlir);
    EXPECT_EQ(mlir[mlir.entry].arguments.size(), 1);
}

TEST(ReadProgram, FindsAllModulesOfAFile) {
    EXPECT_EQ(read_programs(Source::text("HloModule a\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n"
                                         "HloModule b\nENTRY e {\n  ROOT x = f32[] parameter(0)\n}\n",
                                         "two.hlo"))
                  .size(),
              2);
}

}  // namespace
}  // namespace dse::ir
