#include "dse/ir/mlir/read_mlir.hpp"

#include <gtest/gtest.h>

#include "ir/mlir/mlir_text.hpp"

namespace dse::ir {
namespace {

std::vector<Program> modules_of(const std::string& text) {
    return read_mlir_modules(Source::text(text, "t.mlir"));
}

TEST(ReadMlir, SplitFiles) {
    const auto programs = modules_of(R"(// RUN: opt %s
func.func @a() { return }

// -----

func.func @b() { return }
// -----
)");
    ASSERT_EQ(programs.size(), 2U);
    EXPECT_EQ(programs[1].text(programs[1][programs[1].entry].name), "b");
}

TEST(ReadMlir, SeveralModules) {
    const auto programs = modules_of(R"(
module @a { func.func @main() { return } }
module @b { module @c { func.func @main() { return } } func.func @main() { return } }
)");
    ASSERT_EQ(programs.size(), 3U);
    EXPECT_EQ(programs[0].name, "a");
    EXPECT_EQ(programs[1].name, "c");  // within b, and finished before it
    EXPECT_EQ(programs[2].name, "b");
    EXPECT_THROW(read_mlir(Source::text("module { func.func @a() }\nmodule { func.func @b() }", "t.mlir")),
                 InputError);
}

TEST(ReadMlir, LiteralsAndResourcesArePassedOver) {
    const std::string many(2'000'000, 'A');
    const Program program =
        mlir::program_of("module { func.func @main() {\n  %0 = stablehlo.constant dense<\"0x" + many +
                         "\"> : tensor<250000xf32>\n  %1 = stablehlo.constant "
                         "dense_resource<big> : tensor<4xf32>\n  return\n} }\n"
                         "{-#\n  dialect_resources: { builtin: { big: \"0x" +
                         many + "\" } }\n#-}\n");
    EXPECT_EQ(program[program.entry].operations.size(), 3U);
}

}  // namespace
}  // namespace dse::ir
