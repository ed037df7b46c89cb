// Also tests: readers/hlo/module_reader.cpp, readers/hlo/names.cpp

#include "dse/ir/readers/hlo/read_hlo.hpp"

#include "hlo_text.hpp"

namespace dse::ir {
namespace {

constexpr const char* product =
    R"(HloModule product, entry_computation_layout={(f32[2,3]{1,0})->f32[2,4]{1,0}}, replica_count=2, num_partitions=4

ENTRY %main (x: f32[2,3], w: f32[3,4]) -> f32[2,4] {
  %x = f32[2,3]{1,0} parameter(0)
  %w = f32[3,4]{1,0} parameter(1), metadata={op_name="the \"}\" weight"}
  ROOT %y = f32[2,4]{1,0} dot(f32[2,3]{1,0} %x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0} // done
}
)";

TEST(ReadHlo, ReadsAModule) {
    const Program program = hlo_program(product);
    EXPECT_EQ(program.name, "product");
    EXPECT_EQ(program.language, Language::hlo);
    EXPECT_EQ(program.replicas, 2);
    EXPECT_EQ(program.partitions, 4);
    const Computation& main = program[program.entry];
    EXPECT_EQ(program.text(main.name), "main");
    EXPECT_EQ(main.line, 3U);
    ASSERT_EQ(main.operations.size(), 3U);
    ASSERT_EQ(main.arguments.size(), 2U);
    const Operation& y = main.operations[2];
    EXPECT_EQ(y.opcode, Opcode::dot);
    EXPECT_EQ(program.text(y.name), "dot");
    EXPECT_EQ(program.text(y.label), "y");
    EXPECT_EQ(y.line, 6U);
    EXPECT_EQ(type_text(program, y), "f32[2,4]");
    EXPECT_EQ(program.operands(y)[0], main.arguments[0]);
    EXPECT_EQ(program.operands(y)[1], main.arguments[1]);
    EXPECT_EQ(main.results, std::vector{Program::result(y)});
    EXPECT_EQ(program.attribute_if<DotDimensions>(y)->rhs_contracting, Sizes{0});
}

TEST(ReadHlo, TakesTheLastComputationAndTheLastInstructionWhereNoneIsMarked) {
    const Program program = hlo_program(
        "first { a = f32[] parameter(0) }\n last { b = f32[2] parameter(0)\n c = f32[2] negate(b) }");
    EXPECT_EQ(program.text(program[program.entry].name), "last");
    EXPECT_EQ(program[program.entry].results[0], Program::result(labelled(program, "c")));
}

TEST(ReadHlo, ReadsInstructionsWithoutAComputation) {
    const Program program = hlo_program("p = f32[4] parameter(0)\nROOT n = f32[4] negate(p)\n");
    EXPECT_EQ(program[program.entry].operations.size(), 2U);
    EXPECT_EQ(program.computations.size(), 1U);
}

// Parameters may stand in any order; arguments are in that of their numbers.
TEST(ReadHlo, OrdersArgumentsByTheirNumbers) {
    const Program program = hlo_instructions(
        "b = f32[2] parameter(1)\na = f32[1] parameter(0)\nROOT t = (f32[1], f32[2]) tuple(a, b)");
    const Computation& main = program[program.entry];
    EXPECT_EQ(main.arguments[0], Program::result(labelled(program, "a")));
    EXPECT_EQ(program[main.arguments[1]].number, 1U);
}

TEST(ReadHlo, InstructionsMayStandOverSeveralLinesWithComments) {
    const Program program = hlo_instructions(
        "/* two\n lines */ p = f32[8,8] parameter(0)\n  ROOT r = (f32[8,8], /*index=1*/f32[8,8])\n    "
        "tuple(p, // and again\n      p)");
    EXPECT_EQ(type_text(program, labelled(program, "r")), "(f32[8,8], f32[8,8])");
    EXPECT_EQ(labelled(program, "r").line, 4U);
}

TEST(ReadHlo, ReadsBodiesInPlace) {
    const Program program = hlo_instructions(R"(p = f32[8] parameter(0)
  z = f32[] constant(0)
  f = f32[8] fusion(p), kind=kLoop, calls=
  {
    p = f32[8] parameter(0)
    ROOT n = f32[8] negate(p)
  }
  ROOT r = f32[] reduce(f, z), dimensions={0}, to_apply={
    z = f32[] parameter(0)
    y = f32[] parameter(1)
    ROOT s = f32[] add(z, y)
  })");
    const Operation& reduce = labelled(program, "r");
    EXPECT_EQ(program.operands(reduce)[1], Program::result(program[program.entry].operations[1]));
    EXPECT_EQ(program[program.called(reduce)[0]].operations.size(), 3U);
    EXPECT_EQ(program.attribute_if<Fusion>(labelled(program, "f"))->kind, FusionKind::loop);
}

// Operands that are instructions themselves, and elements of tuples by number, are operations without a
// label; the latter stand nowhere in the text, and have no name either.
TEST(ReadHlo, ReadsInstructionsAndElementsAsOperands) {
    const Program program = hlo_instructions(
        "t = (f32[4], (f32[5], f32[6])) parameter(0)\nROOT r = add(f32[5] negate(%t#1#0), %t#1#0)");
    const Computation& main = program[program.entry];
    ASSERT_EQ(main.operations.size(), 7U);
    EXPECT_EQ(main.operations[1].opcode, Opcode::get_tuple_element);
    EXPECT_EQ(main.operations[1].name, no_name);
    EXPECT_EQ(main.operations[3].opcode, Opcode::negate);
    EXPECT_EQ(program.text(main.operations[3].name), "negate");
    EXPECT_EQ(type_text(program, main.operations[6]), "f32[5]");
}

TEST(ReadHlo, PassesOverHeadersTablesAndLiterals) {
    const Program program = hlo_program(
        R"(HloModule m, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}}

FileNames
1 "/a//b.py"

FunctionNames
1 "f(x) {"

FileLocations
1 {file_name_id=1 function_name_id=1 line=2 end_line=2 column=9 end_column=10}

StackFrames
1 {file_location_id=1 parent_frame_id=1}


ENTRY e {
  c = c64[2]{0} constant({(1, 2), (-inf, nan)})
  d = s32[2,2] constant({ { 1, 2 }, /*i0=1*/ { 3, 4 } })
  e = s32[] constant(-7)
  f = pred[] constant(true)
  ROOT g = u64[] constant(18446744073709551615)
}, execution_thread="host")");
    EXPECT_EQ(program.attribute_if<Literal>(labelled(program, "e"))->integer, -7);
    EXPECT_EQ(program.attribute_if<Literal>(labelled(program, "f"))->integer, 1);
    EXPECT_FALSE(program.attribute_if<Literal>(labelled(program, "d"))->integer);
    EXPECT_FALSE(program.attribute_if<Literal>(labelled(program, "g"))->integer);
}

TEST(ReadHlo, ReadsOneModuleOrMany) {
    const std::string two = std::string{product} + "\nHloModule second\nENTRY e { p = f32[] parameter(0) }";
    EXPECT_NE(hlo_refusal(two).find("t.hlo:9:1: a second module begins here"), std::string::npos);
    const auto programs = read_hlo_modules(Source::text(two, "t.hlo"));
    ASSERT_EQ(programs.size(), 2U);
    EXPECT_EQ(programs[1].name, "second");
}

TEST(ReadHlo, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(hlo_refusal("ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT n = f32[2] negtae(p)\n}"),
              "t.hlo:3:19: HLO has no instruction 'negtae' (did you mean 'negate'?)");
    EXPECT_EQ(hlo_refusal("ENTRY e {\n  param = f32[2] parameter(0)\n  ROOT n = f32[2] negate(parm)\n}"),
              "t.hlo:3:26: there is no value 'parm' before this (did you mean 'param'?)");
    EXPECT_EQ(hlo_refusal("f { p = f32[2] parameter(0) }\nENTRY e { p = f32[2] parameter(0)\n r = f32[2] "
                          "call(p), to_apply=%g }"),
              "t.hlo:3:31: there is no computation 'g' before this");
    EXPECT_EQ(hlo_refusal("ENTRY e { p = f32[2] parameter(0)\np = f32[2] negate(p) }"),
              "t.hlo:2:1: a second instruction of the computation is called 'p'");
    EXPECT_EQ(hlo_refusal("ENTRY e { p = f32[2] parameter(1) }"),
              "t.hlo:1:9: the computation has no parameter(0)");
    EXPECT_EQ(hlo_refusal("ENTRY e { ROOT p = f32[2] parameter(0)\nROOT n = f32[2] negate(p) }"),
              "t.hlo:2:1: a second instruction is marked ROOT");
    EXPECT_EQ(hlo_refusal("ENTRY e { p = f32[2] parameter(0)\n n = abs(p) bogus }").substr(0, 9),
              "t.hlo:2:1");
    EXPECT_EQ(hlo_refusal("HloModule m"),
              "t.hlo:1:12: expected a computation, found the end of the text (is the file cut off?)");
}

TEST(ReadHlo, SaysThatAFileIsCutOff) {
    const std::string whole = product;
    for (std::size_t length = 0; length + 3 < whole.find_last_of('}'); ++length) {
        const std::string reason = hlo_refusal(whole.substr(0, length));
        EXPECT_FALSE(reason.empty()) << length;
    }
    EXPECT_NE(hlo_refusal(whole.substr(0, 200)).find("is the file cut off?"), std::string::npos);
    EXPECT_NE(hlo_refusal("ENTRY e {\n p = f32[2] parameter(0)\n")
                  .find("the text ends inside computation 'e', which begins in line 1"),
              std::string::npos);
}

TEST(ReadHlo, DoesNotFollowNestingForever) {
    std::string deep = "ENTRY e { p = f32[] parameter(0)\n r = ";
    for (int i = 0; i < 100'000; ++i) deep += "f32[] negate(";
    EXPECT_NE(hlo_refusal(deep).find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace dse::ir
