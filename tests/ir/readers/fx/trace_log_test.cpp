#include "ir/readers/fx/trace_log.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "dse/ir/readers/fx/read_fx.hpp"
#include "support/error_message.hpp"

namespace dse::ir::fx {
namespace {

std::string record(const std::string& head, const std::string& payload) {
    std::string text = "V0728 16:17:28.145000 60448 torch/_dynamo/utils.py:1931] {" + head + "}\n\t";
    for (const char c : payload) text += c == '\n' ? std::string{"\n\t"} : std::string{c};
    // Empty lines have no tab.
    for (std::size_t at = text.find("\n\t\n"); at != std::string::npos; at = text.find("\n\t\n"))
        text.erase(at + 1, 1);
    return text + "\n";
}

const std::string forward =
    "class GraphModule(torch.nn.Module):\n    def forward(self, x: \"f32[2]\"):\n"
    "        y: \"f32[2]\" = torch.ops.aten.sin.default(x)\n        return (y,)\n    ";
const std::string log =
    "V0728 16:17:28.147000 60448 torch/_logging/structured.py:28] {\"str\": [\"a.py\", 0]}\n" +
    record("\"chromium_event\": {}, \"has_payload\": \"0a\"", "{\n\"name\": \"dynamo\"\n}") +
    record("\"dynamo_output_graph\": {\"sizes\": {}}, \"has_payload\": \"0b\"", forward) +
    record("\"aot_inference_graph\": {}, \"frame_id\": 0, \"has_payload\": \"0c\"", forward) +
    record(
        "\"artifact\": {\"name\": \"fx_graph_runnable\", \"encoding\": \"string\"}, \"has_payload\": \"0d\"",
        "import torch\nclass A:\n    pass");

TEST(TraceLog, ListsItsPayloads) {
    EXPECT_TRUE(is_trace_log(log));
    EXPECT_FALSE(is_trace_log(forward));
    const Source source = Source::text(log, "x.log");
    const auto records = read_trace_log(source);
    ASSERT_EQ(records.size(), 4U);
    EXPECT_EQ(records[0].kind, "other");
    EXPECT_EQ(records[1].kind, "dynamo_output_graph");
    EXPECT_EQ(records[2].kind, "aot_inference_graph");
    EXPECT_EQ(records[3].kind, "fx_graph_runnable");
    EXPECT_EQ(source.text().substr(records[3].begin, records[3].end - records[3].begin),
              "\timport torch\n\tclass A:\n\t    pass\n");
    const auto graphs = graphs_of(records);
    ASSERT_EQ(graphs.size(), 1U);
    EXPECT_EQ(graphs[0].kind, "aot_inference_graph");
    EXPECT_EQ(graphs_of({records[1]}).at(0).kind, "dynamo_output_graph");
}

TEST(TraceLog, IsReadToAProgram) {
    const Program program = read_fx(Source::text(log, "x.log"));
    validate(program);
    ASSERT_EQ(program[program.entry].operations.size(), 1U);
    EXPECT_EQ(program[program.entry].operations[0].opcode, Opcode::sine);
    EXPECT_EQ(program[program.entry].operations[0].line, 15U);  // of the log
}

// torch.export's: the graph stands inside, and behind it what its arguments are.
TEST(TraceLog, HoldsExportedPrograms) {
    const std::string exported =
        record(R"("exported_program": {}, "stack": [], "has_payload": "0e")", R"log(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, x: "i64[]", y: "f32[s0]"):
             # File: a.py:269 in forward, code: a = x.item()
            a: "Sym(u1)" = torch.ops.aten._local_scalar_dense.default(x);  x = None

            # File: a.py:270 in forward, code: a = -a
            neg: "Sym(-u1)" = -a;  a = None

            b: "Sym(((-u1)//3))" = neg // 3;  neg = None
            c: "f32[2*s0]" = torch.ops.aten.cat.default([y, y]);  y = None
            d: "f32[(((-u1)//3)) + 5]" = torch.ops.aten.slice.Tensor(c, 0, 0, b);  c = b = None
            return (d,)

Graph signature: ExportGraphSignature(input_specs=[InputSpec(kind=<InputKind.USER_INPUT: 1>)])
Range constraints: {s0: VR[2, int_oo]}
)log");
    const Source source = Source::text(exported, "x.log");
    EXPECT_EQ(graphs_of(read_trace_log(source)).at(0).kind, "exported_program");
    const Program program = read_fx(source);
    validate(program);
    const auto& operations = program[program.entry].operations;
    EXPECT_TRUE(std::any_of(operations.begin(), operations.end(),
                            [](const Operation& each) { return each.opcode == Opcode::concatenate; }));
    EXPECT_EQ(operations.back().opcode, Opcode::view);
    // AOTAutograd's graphs are closer to what runs, Dynamo's farther from it.
    const auto both = read_trace_log(Source::text(exported + log, "x.log"));
    EXPECT_EQ(graphs_of(both).at(0).kind, "aot_inference_graph");
    EXPECT_EQ(graphs_of({both[0], both[2]}).at(0).kind, "exported_program");
}

TEST(TraceLog, RefusesWhatIsNoRecord) {
    const auto message = [](const std::string& text) {
        return test::error_message([&] { read_fx(Source::text(text, "x.log")); });
    };
    EXPECT_NE(message(log + "something else\n").find(": expected a record of TORCH_TRACE"),
              std::string::npos);
    EXPECT_NE(message("V0728 1 2 a.py:3] nothing\n").find("x.log:1:19: the record is not a JSON object"),
              std::string::npos);
    EXPECT_NE(message("V0728 1 2 a.py:3] {}\n").find("the log has no graph"), std::string::npos);
}

}  // namespace
}  // namespace dse::ir::fx
