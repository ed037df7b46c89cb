#include "dse/ir/readers/mlir/read_mlir.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "dse/ir/program/cost/program_cost.hpp"
#include "ir/readers/mlir/mlir_text.hpp"
#include "support/source_dir.hpp"

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

// The number behind a key of a capture's manifest.
double stated(const std::string& manifest, const std::string& key) {
    const std::size_t at = manifest.find('"' + key + "\":");
    return at == std::string::npos ? -1 : std::stod(manifest.substr(at + key.size() + 3));
}

// Their manifests hold what JAX's own form of the program says before any compiler sees it: FLOPs of products
// and convolutions, loops times their length. Reading it back from StableHLO needs operators, types,
// dimensions, calls, trip counts, and both languages of shardings.
TEST(ReadMlir, ShippedCapturesHaveTheFlopsOfTheirProgram) {
    namespace fs = std::filesystem;
    int captures = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(DSE_SOURCE_DIR) / "workloads/captures/jax")) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(".mlir.gz")) continue;
        SCOPED_TRACE(name);
        ++captures;
        std::ifstream file(entry.path().parent_path() / (name.substr(0, name.find('.')) + ".json"));
        const std::string manifest{std::istreambuf_iterator<char>{file}, {}};
        const Program program = read_mlir(Source::file(entry.path().string()));
        validate(program);
        const Cost cost = program_cost(program).by_trips;
        // Inside a manual computation shapes are one device's: what all of them do together JAX counts, not
        // we.
        if (name.find("gpipe") == std::string::npos) {
            EXPECT_EQ(cost.dot, stated(manifest, "dot_flops"));
        }
        EXPECT_EQ(cost.convolution, stated(manifest, "convolution_flops"));
        EXPECT_EQ(static_cast<double>(program.devices()), stated(manifest, "devices"));
        EXPECT_EQ(program.partitioned, program.devices() == 1);
    }
    EXPECT_GE(captures, 20);
}

}  // namespace
}  // namespace dse::ir
