// Also tests: readers/fx/evaluator.cpp, readers/fx/graph_reader.cpp, readers/fx/recipes.cpp
// Also tests: readers/fx/step.cpp
#include "dse/ir/readers/fx/read_fx.hpp"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_message.hpp"

namespace dse::ir {
namespace {

Program read(const std::string& text) {
    Program program = read_fx(Source::text(text, "x.fx"));
    validate(program);
    return program;
}

// A graph of these arguments, whose body is one line each and whose last line is its return.
std::string graph(const std::string& arguments, const std::vector<std::string>& lines) {
    std::string text = "class GraphModule(torch.nn.Module):\n    def forward(self, " + arguments + "):\n";
    for (const std::string& line : lines) text += "        " + line + "\n";
    return text;
}

const Operation& operation(const Program& program, std::size_t number) {
    return program[program.entry].operations.at(number);
}

std::string type(const Program& program, const Operation& operation) {
    return program.types.text(program.type_of(Program::result(operation)));
}

// Numbers of the values that an operation reads, as arguments "a0" and operations "o0" of the entry.
std::string operands(const Program& program, const Operation& operation) {
    std::string text;
    for (const ValueId operand : program.operands(operation)) {
        const Value& value = program[operand];
        text += (value.operation < 0 ? "a" + std::to_string(value.number)
                                     : "o" + std::to_string(value.operation)) +
                " ";
    }
    return text;
}

TEST(ReadFx, ReadsAGraph) {
    const Program program =
        read(graph("a: \"f32[2, 3][3, 1]cpu\", b: \"f32[3, 4][4, 1]cpu\"",
                   {"# File: x.py:12 in f, code: y = torch.ops.aten.mm.default(a, b)",
                    "mm: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.mm.default(a, b);  a = b = None",
                    "relu: \"f32[2, 4][4, 1]cpu\" = torch.ops.aten.relu.default(mm)", "return (relu,)"}));
    EXPECT_EQ(program.language, Language::fx);
    EXPECT_EQ(program.devices(), 1);
    EXPECT_EQ(program[program.entry].arguments.size(), 2U);
    ASSERT_EQ(program[program.entry].operations.size(), 2U);
    const Operation& product = operation(program, 0);
    EXPECT_EQ(product.opcode, Opcode::dot);
    EXPECT_EQ(program.text(product.name), "aten.mm");
    EXPECT_EQ(program.text(product.label), "mm");
    EXPECT_EQ(product.line, 4U);
    EXPECT_EQ(type(program, product), "f32[2,4]");
    EXPECT_EQ(operands(program, product), "a0 a1 ");
    EXPECT_EQ(program.attribute_if<DotDimensions>(product)->lhs_contracting, Sizes{1});
    EXPECT_EQ(operands(program, operation(program, 1)), "o0 ");
    EXPECT_EQ(program[program.entry].results, std::vector{Program::result(operation(program, 1))});
}

TEST(ReadFx, PutsTheFactorsOfAProductFirst) {
    const Program program = read(
        graph("c: \"f32[4]\", a: \"f32[2, 3]\", b: \"f32[3, 4]\", s: \"f32[5, 2, 3]\", t: \"f32[5, 3, 2]\", "
              "w: \"f32[7, 3]\"",
              {"addmm: \"f32[2, 4]\" = torch.ops.aten.addmm.default(c, a, b)",
               "bmm: \"f32[5, 2, 2]\" = torch.ops.aten.bmm.default(s, t)",
               "linear: \"f32[5, 2, 7]\" = torch._C._nn.linear(s, w, None)",
               "matmul: \"f32[5, 2, 2]\" = torch.matmul(s, t)", "return (addmm, bmm, linear, matmul)"}));
    EXPECT_EQ(operands(program, operation(program, 0)), "a1 a2 a0 ");
    const auto* batched = program.attribute_if<DotDimensions>(operation(program, 1));
    EXPECT_EQ(batched->lhs_batch, Sizes{0});
    EXPECT_EQ(batched->rhs_contracting, Sizes{1});
    const auto* linear = program.attribute_if<DotDimensions>(operation(program, 2));
    EXPECT_EQ(linear->lhs_contracting, Sizes{2});
    EXPECT_EQ(linear->rhs_contracting, Sizes{1});
    EXPECT_EQ(program.attribute_if<DotDimensions>(operation(program, 3))->lhs_batch, Sizes{0});
}

TEST(ReadFx, LeavesOutDimensionsThatOperandsLack) {
    const Program program = read(graph("a: \"f32[2]\", b: \"f32[3]\"",
                                       {"bmm: \"f32[2]\" = torch.ops.aten.bmm.default(a, b)", "return bmm"}));
    EXPECT_EQ(program.attribute_if<DotDimensions>(operation(program, 0)), nullptr);
}

TEST(ReadFx, ReadsConvolutions) {
    const Program program =
        read(graph("g: \"f32[1, 8, 5, 5]\", x: \"f32[1, 4, 10, 10]\", w: \"f32[8, 2, 3, 3]\"",
                   {"convolution: \"f32[1, 8, 5, 5]\" = torch.ops.aten.convolution.default(x, w, None, [2, "
                    "2], [1, 1], [1, 1], "
                    "False, [0, 0], 2)",
                    "convolution_backward = torch.ops.aten.convolution_backward.default(g, x, w, [0], [2, "
                    "2], [1, 1], [1, 1], "
                    "False, [0, 0], 2, [True, True, False])",
                    "getitem: \"f32[1, 4, 10, 10]\" = convolution_backward[0]",
                    "getitem_1: \"f32[8, 2, 3, 3]\" = convolution_backward[1];  convolution_backward = None",
                    "return (convolution, getitem, getitem_1)"}));
    const auto* forward = program.attribute_if<ConvolutionDimensions>(operation(program, 0));
    ASSERT_NE(forward, nullptr);
    EXPECT_EQ(forward->feature_groups, 2);
    EXPECT_EQ(forward->kernel_spatial, (Sizes{2, 3}));
    ASSERT_EQ(forward->window.size(), 2U);
    EXPECT_EQ(forward->window[1].size, 3);
    EXPECT_EQ(forward->window[1].stride, 2);
    EXPECT_EQ(forward->window[1].pad_high, 1);
    const Operation& backward = operation(program, 1);
    EXPECT_EQ(program.attribute_if<ConvolutionDimensions>(backward)->window[0].stride, 2);
    EXPECT_EQ(type(program, backward), "(f32[1,4,10,10], f32[8,2,3,3])");
    EXPECT_EQ(program.attribute_if<Index>(operation(program, 3))->number, 1);
    EXPECT_EQ(operation(program, 3).name, no_name);
}

TEST(ReadFx, ReadsATransposedConvolutionAsOneOfAHoledImage) {
    const Program program =
        read(graph("x: \"f32[1, 4, 5, 5]\", w: \"f32[4, 8, 4, 4]\"",
                   {"y: \"f32[1, 8, 10, 10]\" = torch.ops.aten.convolution.default(x, w, None, "
                    "[2, 2], [1, 1], [1, 1], True, [0, 0], 1)",
                    "return y"}));
    const auto* dimensions = program.attribute_if<ConvolutionDimensions>(operation(program, 0));
    // (5 − 1)·2 + 1 = 9 with holes; 4 − 1 − 1 = 2 beside it on each side; 9 + 4 − 4 + 1 = 10 positions.
    EXPECT_EQ(dimensions->window[0].base_dilation, 2);
    EXPECT_EQ(dimensions->window[0].pad_low, 2);
    EXPECT_EQ(dimensions->window[0].stride, 1);
    EXPECT_EQ(dimensions->kernel_output_feature, 1);
}

const std::string collectives = graph(
    "x: \"bf16[4, 8]\"",
    {"all_gather: \"bf16[8, 8]\" = torch.ops._c10d_functional.all_gather_into_tensor.default(x, 2, '1')",
     "wait: \"bf16[8, 8]\" = torch.ops._c10d_functional.wait_tensor.default(all_gather)",
     "all_reduce: \"bf16[8, 8]\" = torch.ops._c10d_functional.all_reduce.default(wait, 'sum', '3')",
     "wait_1: \"bf16[8, 8]\" = torch.ops._c10d_functional.wait_tensor.default(all_reduce)",
     "return (wait_1,)"});

TEST(ReadFx, KeepsAGroupsNameAndSize) {
    const Program program = read(collectives);
    const auto* gather = program.attribute_if<Communication>(operation(program, 0));
    EXPECT_EQ(program.text(gather->process_group), "1");
    EXPECT_EQ(gather->group_size, 2);
    EXPECT_EQ(gather->dimension, 0);
    const auto* reduce = program.attribute_if<Communication>(operation(program, 2));
    EXPECT_EQ(program.text(reduce->process_group), "3");
    EXPECT_EQ(reduce->group_size, 0);
    EXPECT_EQ(program.devices(), 2);
    EXPECT_EQ(operation(program, 1).opcode, Opcode::wait);
}

TEST(ReadFx, TakesTheRanksOfGroupsFromComments) {
    const Program program = read(
        "# mesh: {\"dp_shard\": 2, \"tp\": 4}\n# process_groups: {\"1\": {\"axes\": [\"dp_shard\"], "
        "\"ranks\": [0, 4]}, "
        "\"3\": {\"axes\": [\"tp\"]}}\n" +
        collectives);
    EXPECT_EQ(program.devices(), 8);
    const auto* gather = program.attribute_if<Communication>(operation(program, 0));
    const std::vector<std::vector<std::int64_t>> strided{{0, 4}, {1, 5}, {2, 6}, {3, 7}};
    EXPECT_EQ(gather->groups.members(8), strided);
    const auto* reduce = program.attribute_if<Communication>(operation(program, 2));
    EXPECT_EQ(reduce->group_size, 4);
    const std::vector<std::vector<std::int64_t>> adjacent{{0, 1, 2, 3}, {4, 5, 6, 7}};
    EXPECT_EQ(reduce->groups.members(8), adjacent);
}

TEST(ReadFx, GivesConstantsOfTheModuleAnOperation) {
    const Program program = read(graph(
        "x: \"f32[2]\"", {"_tensor_constant0: \"f32[]\" = self._tensor_constant0",
                          "y: \"f32[2]\" = torch.ops.aten.add.Tensor(x, _tensor_constant0)",
                          "z: \"f32[2]\" = torch.ops.aten.add.Tensor(y, _tensor_constant0)", "return (z,)"}));
    ASSERT_EQ(program[program.entry].operations.size(), 3U);
    EXPECT_EQ(operation(program, 0).opcode, Opcode::constant);
    EXPECT_EQ(type(program, operation(program, 0)), "f32[]");
    EXPECT_EQ(operands(program, operation(program, 2)), "o1 o0 ");
}

TEST(ReadFx, ReadsWhatDynamoPrints) {
    const Program program = read(graph(
        "L_x_: \"f32[2, 3]\"",
        {"l_x_ = L_x_", "_set_grad_enabled = torch._C._set_grad_enabled(False);  _set_grad_enabled = None",
         "y: \"f32[2, 3]\" = l_x_ * 0.5;  l_x_ = None", "z: \"f32[4, 3]\" = y.repeat(2, 1)",
         "z += 1;  iadd: \"f32[4, 3]\" = z;  z = None",
         "iadd[(slice(None, 2, None), 0)] = y;  setitem = iadd;  setitem = None",
         "getattr_1: \"f32[3, 4]\" = iadd.T", "return (getattr_1, iadd)"}));
    std::vector<Opcode> opcodes;
    for (const Operation& each : program[program.entry].operations) opcodes.push_back(each.opcode);
    EXPECT_EQ(opcodes, (std::vector{Opcode::optimization_barrier, Opcode::multiply, Opcode::broadcast,
                                    Opcode::add, Opcode::dynamic_update_slice, Opcode::view}));
    EXPECT_EQ(operands(program, operation(program, 1)), "a0 ");
    EXPECT_EQ(operands(program, operation(program, 4)), "o3 o1 ");
    EXPECT_EQ(type(program, operation(program, 4)), "f32[4,3]");
}

TEST(ReadFx, RunsOperatorsThatOthersAreHanded) {
    const Program program =
        read(graph("x: \"f32[2]\", w: \"f32[2]\"",
                   {"auto_functionalized = "
                    "torch.ops.higher_order.auto_functionalized(torch.ops._C.rms_norm.default, result = x, "
                    "weight = w, epsilon = 1e-06);  x = w = None",
                    "getitem_1: \"f32[2]\" = auto_functionalized[1];  auto_functionalized = None",
                    "return (getitem_1,)"}));
    const Operation& outer = operation(program, 0);
    EXPECT_EQ(program.text(outer.name), "higher_order.auto_functionalized");
    ASSERT_EQ(program.called(outer).size(), 1U);
    const Operation& inner = program[program.called(outer)[0]].operations.at(0);
    EXPECT_EQ(program.text(inner.name), "_C.rms_norm");
    EXPECT_EQ(inner.opcode, Opcode::normalization);
    EXPECT_EQ(program.operands(inner).size(), 2U);
    EXPECT_EQ(type(program, outer), "(?, f32[2])");
}

TEST(ReadFx, CallsTheGraphsInside) {
    const std::string text = R"(class GraphModule(torch.nn.Module):
    def forward(self, p: "b8[]", x: "f32[2]"):
        true_graph_0 = self.true_graph_0
        false_graph_0 = self.false_graph_0
        cond = torch.ops.higher_order.cond(p, true_graph_0, false_graph_0, (x,));  true_graph_0 = None
        getitem: "f32[2]" = cond[0];  cond = None
        return (getitem,)

    class true_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]"):
            sin: "f32[2]" = torch.ops.aten.sin.default(a)
            return (sin,)

    class false_graph_0(torch.nn.Module):
        def forward(self, a: "f32[2]"):
            cos: "f32[2]" = torch.ops.aten.cos.default(a)
            return (cos,)
)";
    const Program program = read(text);
    const Operation& conditional = operation(program, 0);
    EXPECT_EQ(conditional.opcode, Opcode::conditional);
    ASSERT_EQ(program.called(conditional).size(), 2U);
    EXPECT_EQ(program.text(program[program.called(conditional)[1]].name), "false_graph_0");
    EXPECT_EQ(program[program.called(conditional)[1]].operations.at(0).opcode, Opcode::cosine);
}

TEST(ReadFx, TiesForwardToBackward) {
    const Program program =
        read(graph("primals_1: \"f32[2]\"",
                   {"sin: \"f32[2]\" = torch.ops.aten.sin.default(primals_1)", "return (sin, primals_1)"}) +
             graph("primals_1: \"f32[2]\", tangents_1: \"f32[2]\"",
                   {"cos: \"f32[2]\" = torch.ops.aten.cos.default(primals_1)",
                    "mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(tangents_1, cos)", "return (mul,)"}));
    ASSERT_EQ(program[program.entry].operations.size(), 2U);
    EXPECT_EQ(program[program.entry].arguments.size(), 2U);  // primals_1, tangents_1
    const Operation& forward = operation(program, 0);
    const Operation& backward = operation(program, 1);
    EXPECT_EQ(program.operands(backward)[0], Program::result(forward, 1));
    EXPECT_EQ(operands(program, backward), "o0 a1 ");
    EXPECT_EQ(program[program.entry].results,
              (std::vector{Program::result(forward, 0), Program::result(backward, 0)}));
}

TEST(ReadFx, TakesInputsOutOfTheirTrees) {
    const Program program = read(graph(
        "primals, tangents", {"primals_1: \"f32[2]\"; tangents_1: \"f32[2]\"; ", "",
                              "primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], "
                              "self._in_spec)",
                              "mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(tangents_1, primals_1)",
                              "return pytree.tree_unflatten([mul], self._out_spec)"}));
    EXPECT_EQ(program[program.entry].arguments.size(), 2U);
    EXPECT_EQ(operands(program, operation(program, 0)), "a1 a0 ");
    EXPECT_EQ(program[program.entry].results.size(), 1U);
}

TEST(ReadFx, ReadsGraphsWithoutTypes) {
    const Program program = read(
        "class Old(torch.nn.Module):\n    def forward(self, x):\n"
        "        add = torch.ops.aten.add.Tensor(x, 1);  x = None\n        return add\n");
    EXPECT_EQ(type(program, operation(program, 0)), "?");
}

TEST(ReadFx, KnowsModulesInsideByTheirName) {
    const Program program =
        read(graph("x: \"f32[2]\"", {"_0: \"f32[2]\" = getattr(self, \"0\")(x);  x = None",
                                     "y: \"f32[2]\" = self.linear(_0)", "return y"}) +
             "\nGraph signature: \n    # inputs\n");
    EXPECT_EQ(program.text(operation(program, 0).name), "0");
    EXPECT_EQ(operation(program, 0).opcode, Opcode::unknown);
    EXPECT_EQ(program.text(program.attribute_if<ForeignCall>(operation(program, 1))->target), "self.linear");
    EXPECT_EQ(operands(program, operation(program, 1)), "o0 ");
}

TEST(ReadFx, TellsItsTextsFromOthers) {
    EXPECT_TRUE(is_fx("import torch\n\nclass <lambda>(torch.nn.Module):\n"));
    EXPECT_TRUE(is_fx("V0728 16:17:28.145000 7 torch/x.py:1] {}\n"));
    EXPECT_TRUE(is_fx("\n[\"torch.ops.aten.mm.default\"]"));
    EXPECT_FALSE(is_fx("HloModule m\n"));
    EXPECT_FALSE(is_fx("module @m {\n}\n"));
    EXPECT_FALSE(is_fx(""));
}

TEST(ReadFx, RefusesWithAPlace) {
    const auto message = [](const std::string& text) { return test::error_message([&] { read(text); }); };
    EXPECT_EQ(message(graph("x: \"f32[2]\"", {"y: \"f32[2]\" = torch.ops.aten.sin.default(z)", "return y"})),
              "x.fx:3:50: 'z' is not defined");
    EXPECT_EQ(
        message(graph("x: \"f32[2]\"", {"y: \"f32[2]\" = torch.ops.aten.sin.default(x) x", "return y"})),
        "x.fx:3:53: expected the end of the statement, found 'x'");
    EXPECT_EQ(message(graph("x: \"f32[2]\"", {"x = None", "y = torch.sin(x)", "return y"})),
              "x.fx:4:23: 'x' is not defined");
    EXPECT_EQ(message(graph("x: \"f32[2]\"", {"y: \"f32[2]\" = torch.sin(x)"})),
              "x.fx:4:1: the graph ends without 'return'");
    EXPECT_EQ(message(graph("x: \"f32[2]\"",
                            {"g = self.g", "c = torch.ops.higher_order.cond(x, g, g, (x,))", "return c"})),
              "x.fx:4:44: the graph 'self.g' is not in the text");
    EXPECT_EQ(message("class A(torch.nn.Module):\n    def other(self):\n        pass\n"),
              "x.fx:4:1: 'A' has no forward");
    EXPECT_NE(message("import torch\n").find("there is no 'class"), std::string::npos);
    EXPECT_NE(message("").find("there is no 'class"), std::string::npos);
}

}  // namespace
}  // namespace dse::ir
