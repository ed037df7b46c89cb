// Also tests: readers/mlir/statement.cpp
#include "ir/readers/mlir/statement_reader.hpp"

#include <gtest/gtest.h>

#include "dse/ir/program/program_builder.hpp"
#include "ir/readers/mlir/mlir_text.hpp"

namespace dse::ir::mlir {
namespace {

// What stands in regions is passed over; they are numbered.
class PassedOver final : public RegionReader {
  public:
    explicit PassedOver(Tokens& tokens) : tokens_{tokens} {}
    ComputationId region(const std::vector<Statement::Argument>& arguments) override {
        arguments_of_last = arguments;
        tokens_.bracketed();
        return ComputationId{regions++};
    }
    std::size_t regions{0};
    std::vector<Statement::Argument> arguments_of_last;

  private:
    Tokens& tokens_;
};

// A text with %a and %b: tensor<4xf32>, and %p, which stands for two of them.
struct File {
    explicit File(const std::string& text) : source{Source::text(text, "t.mlir")}, tokens{source} {
        Type type;
        type.element = ElementType::f32;
        type.sizes = {4};
        ProgramBuilder builder{program};
        const ComputationId main = builder.computation("main");
        const TypeId id = program.types.add(type);
        for (int i = 0; i < 4; ++i) builder.argument(main, id);
        scopes.define("a", {ValueId{0}, 1});
        scopes.define("b", {ValueId{1}, 1});
        scopes.define("p", {ValueId{2}, 2});
    }
    const Statement& read() {
        reader.head(statement);
        reader.tail(statement);
        return statement;
    }

    Source source;
    Tokens tokens;
    Program program;
    Aliases aliases;
    ValueScopes scopes;
    TypeReader types{program.types, aliases};
    PassedOver regions{tokens};
    StatementReader reader{tokens, types, scopes, program, regions};
    Statement statement;
};

using Words = std::vector<std::string_view>;

TEST(MlirStatement, Pretty) {
    File file{
        "%0 = stablehlo.slice %a [0:2, 1:5:2] {x = 1 : i64} : (tensor<4xf32>) -> tensor<2xf32> loc(#l)\n%1"};
    const Statement& statement = file.read();
    EXPECT_EQ(statement.name, "stablehlo.slice");
    EXPECT_FALSE(statement.generic);
    ASSERT_EQ(statement.results.size(), 1U);
    EXPECT_EQ(statement.results[0].name, "0");
    EXPECT_EQ(statement.operands, std::vector<ValueId>{ValueId{0}});
    EXPECT_EQ(statement.words, (Words{"[0:2, 1:5:2]"}));
    EXPECT_EQ(statement.value("x"), "1 : i64");
    EXPECT_TRUE(statement.functional);
    EXPECT_EQ(file.program.types.text(statement.result_types[0]), "f32[2]");
    EXPECT_EQ(file.tokens.peek(), '%');
}

TEST(MlirStatement, Generic) {
    File file{
        "%r:2, %s = \"d.op\"(%a, %p#1) <{k = @f, unit}> ({}, {}) {j = \"(\"} : (f32, f32) -> (i1, i1, i32) "
        "}"};
    const Statement& statement = file.read();
    EXPECT_TRUE(statement.generic);
    EXPECT_EQ(statement.name, "d.op");
    EXPECT_EQ(statement.results[0].count, 2U);
    EXPECT_EQ(statement.operands, (std::vector<ValueId>{ValueId{0}, ValueId{3}}));
    EXPECT_EQ(statement.value("k"), "@f");
    EXPECT_TRUE(statement.has("unit"));
    EXPECT_EQ(statement.value("nothing", "j"), "\"(\"");
    EXPECT_EQ(statement.regions.size(), 2U);
    EXPECT_EQ(statement.result_types.size(), 3U);
    EXPECT_EQ(file.tokens.peek(), '}');
}

TEST(MlirStatement, GoesOnOverLines) {
    File file{
        "%0 = stablehlo.convolution(%a, %b)\n  dim_numbers = [b]x[i]->[b],\n  window = {stride = [1]}\n"
        "  {n = 1 : i64}\n  : (tensor<4xf32>,\n tensor<4xf32>)\n -> tensor<4xf32>\n  stablehlo.return"};
    const Statement& statement = file.read();
    EXPECT_EQ(statement.value("dim_numbers"), "[b]x[i]->[b]");
    EXPECT_EQ(statement.value("window"), "{stride = [1]}");
    EXPECT_TRUE(statement.functional);
    EXPECT_EQ(file.tokens.identifier(), "stablehlo.return");
}

TEST(MlirStatement, LoopsBindTheirArgumentsForBothRegions) {
    File file{
        "%0:2 = stablehlo.while(%i = %a, %x = %p#1) : tensor<4xf32>, tensor<4xf32>\n attributes {k}\n"
        " cond {\n return } do {\n return }\n return"};
    const Statement& statement = file.read();
    EXPECT_EQ(statement.operands, (std::vector<ValueId>{ValueId{0}, ValueId{3}}));
    EXPECT_EQ(statement.regions.size(), 2U);
    ASSERT_EQ(file.regions.arguments_of_last.size(), 2U);
    EXPECT_EQ(file.regions.arguments_of_last[1].name, "x");
    EXPECT_EQ(statement.result_types.size(), 2U);
}

TEST(MlirStatement, PrettyReductionsAreUnzipped) {
    File file{
        "%0:2 = stablehlo.reduce(%a init: %b), (%p init: %p#1) across dimensions = [0] : (f32, f32, f32, "
        "f32) "
        "-> (f32, f32)\n reducer(%w: f32, %x: f32) (%y: f32, %z: f32) {\n return }"};
    const Statement& statement = file.read();
    EXPECT_EQ(statement.operands, (std::vector<ValueId>{ValueId{0}, ValueId{2}, ValueId{1}, ValueId{3}}));
    EXPECT_EQ(statement.value("dimensions"), "[0]");
    // The accumulators first.
    ASSERT_EQ(file.regions.arguments_of_last.size(), 4U);
    EXPECT_EQ(file.regions.arguments_of_last[1].name, "y");
    EXPECT_EQ(file.regions.arguments_of_last[2].name, "x");
}

TEST(MlirStatement, ShardyPutsTheRegionBeforeTheTypes) {
    File file{
        "%0 = sdy.manual_computation(%a) in_shardings=[<@m, [{\"x\"}]>] out_shardings=[<@m, [{}]>] "
        "manual_axes={\"x\"} (%c: f32 {k = 1}) {\n sdy.return %c : f32 } : (f32) -> f32"};
    const Statement& statement = file.read();
    EXPECT_EQ(statement.value("in_shardings"), "[<@m, [{\"x\"}]>]");
    EXPECT_EQ(statement.value("manual_axes"), "{\"x\"}");
    ASSERT_EQ(file.regions.arguments_of_last.size(), 1U);
    EXPECT_EQ(file.regions.arguments_of_last[0].name, "c");
    EXPECT_TRUE(statement.functional);
    File axes{"%0 = sdy.all_reduce {\"x\":(1)2, \"y\"} %a out_sharding=<@m, [{}]> : f32"};
    EXPECT_EQ(axes.read().words, (Words{"{\"x\":(1)2, \"y\"}"}));
    EXPECT_EQ(axes.statement.operands.size(), 1U);
}

TEST(MlirStatement, OtherDialectsAreReadByTheSameGrammar) {
    File linalg{"%0 = linalg.matmul ins(%a, %b : f32, f32) outs(%a : f32) -> f32\n%1"};
    EXPECT_EQ(linalg.read().operands.size(), 3U);
    EXPECT_EQ(linalg.statement.result_types.size(), 1U);
    File extract{"%0 = tensor.extract %a[%b, %b] : tensor<4x4xf32>\n%1"};
    EXPECT_EQ(extract.read().operands.size(), 3U);
    File cast{"%0 = arith.extf %a : f32 to f64\n%1"};
    EXPECT_EQ(cast.program.types.text(cast.read().result_types[0]), "f64[]");
    File two{"%0, %1 = torch.two %a : f32 -> f32, f64\n%2"};
    EXPECT_EQ(two.read().result_types.size(), 2U);
    File loop{"%0 = scf.for %i = %a to %b step %b iter_args(%x = %a) -> (f32) {\n %y = d.op %x : f32 }\n}"};
    EXPECT_EQ(loop.read().regions.size(), 1U);
    EXPECT_EQ(loop.regions.arguments_of_last.size(), 2U);
}

TEST(MlirStatement, SaysWhatIsNotDefined) {
    File file{"%0 = stablehlo.add %a, %bb : tensor<4xf32>"};
    try {
        file.read();
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "t.mlir:1:24: %bb is not defined; nearest %b");
    }
    EXPECT_THROW(File{"%0 = d.op %p#2 : f32"}.read(), InputError);
}

TEST(MlirStatement, RefusesWhatIsNoStatement) {
    for (const std::string text : {"= 1", "%0 = ", "%0 %1 = d.op", "%:2 = d.op", "%0:0 = d.op", "d.op (%a",
                                   "\"d.op\"(%a ) ^bb1 : () -> ()", "stablehlo.add %a | %b : f32",
                                   "stablehlo.add %a) : f32", "d.op {a = }", "d.op : tensor<"})
        EXPECT_THROW(
            {
                File file{text};
                file.read();
                if (!file.tokens.at_end()) file.tokens.refuse("more");
            },
            InputError)
            << text;
}

}  // namespace
}  // namespace dse::ir::mlir
