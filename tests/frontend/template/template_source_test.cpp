#include "dse/frontend/template/template_source.hpp"

#include "support/yaml.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::MeshAxis;

TemplateSource read(std::string_view text, std::string& errors) {
    config::Diagnostics diagnostics;
    const config::Node node = config::parse_yaml(text, test::yaml_name, diagnostics);
    TemplateSource source = read_template(node, diagnostics);
    errors = diagnostics.text();
    return source;
}

constexpr std::string_view good = R"(
name: t
symbols: [h, f]
boundary: {shape: [b, s, h], split: {0: dp, 1: "cp, tp if sequence_parallel"}}
blocks:
  first:
    inputs:
      tokens: {shape: [b, s], split: {0: [dp, ep]}, storage: index}
    parameters:
      table: {shape: [2*f, h], split: {0: tp}, tied: true, when: "f > 1"}
    operators:
      - y = embedding(tokens, table)
      - when: sequence_parallel
        operators:
          - z = gelu(y)
          - when: attention == 'flash'
            operators:
              - u = gelu(z)
    output: y
    recompute: {selective: [z]}
  second:
    operators: []
)";

TEST(TemplateSource, KeepsWhatTheFileSays) {
    std::string errors;
    const TemplateSource source = read(good, errors);
    EXPECT_EQ(errors, "");
    EXPECT_EQ(source.file, "t.yaml");
    EXPECT_EQ(source.symbols, (std::vector<std::string>{"h", "f"}));
    EXPECT_EQ(source.block_names(), (std::vector<std::string>{"first", "second"}));
    EXPECT_EQ(source.find("third"), nullptr);

    EXPECT_EQ(source.boundary.name, "x");
    ASSERT_EQ(source.boundary.splits.size(), 2U);
    EXPECT_EQ(source.boundary.splits[0].axes, AxisSet{MeshAxis::data});
    EXPECT_EQ(source.boundary.splits[0].condition, "");
    EXPECT_EQ(source.boundary.splits[1].dimension, 1U);
    EXPECT_EQ(source.boundary.splits[1].axes, AxisSet{MeshAxis::context} | MeshAxis::tensor);
    EXPECT_EQ(source.boundary.splits[1].condition, "sequence_parallel");

    const TemplateSource::Block& block = *source.find("first");
    EXPECT_EQ(block.inputs[0].storage, Storage::index);
    ASSERT_EQ(block.inputs[0].splits.size(), 2U)
        << "a list has entries of their own, each may be conditional";
    EXPECT_EQ(block.inputs[0].splits[0].axes, AxisSet{MeshAxis::data});
    EXPECT_EQ(block.inputs[0].splits[1].axes, AxisSet{MeshAxis::expert});
    EXPECT_EQ(block.inputs[0].splits[1].dimension, block.inputs[0].splits[0].dimension);
    EXPECT_EQ(block.parameters[0].shape, (std::vector<std::string>{"2*f", "h"}));
    EXPECT_TRUE(block.parameters[0].tied);
    EXPECT_EQ(block.parameters[0].condition, "f > 1");
    EXPECT_EQ(block.output, "y");
    EXPECT_TRUE(block.recomputable);
    EXPECT_EQ(block.selective, std::vector<std::string>{"z"});
    EXPECT_EQ(source.find("second")->output, "");
}

TEST(TemplateSource, GroupsInGroupsNeedBothConditions) {
    std::string errors;
    const TemplateSource source = read(good, errors);
    const auto& lines = source.find("first")->lines;
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].condition, "");
    EXPECT_EQ(lines[1].condition, "sequence_parallel");
    EXPECT_EQ(lines[2].condition, "(sequence_parallel) and (attention == 'flash')");
    EXPECT_EQ(lines[2].text, "u = gelu(z)");
    EXPECT_EQ(lines[2].where.line, 18U);
}

TEST(TemplateSource, ReportsEveryMistakeOfForm) {
    std::string errors;
    read(R"(
boundary: {shape: b}
blocks:
  first:
    parameters:
      a: 3
      c: {split: {0: tp}}
      d: {shape: [h], split: {1: tp}}
      e: {shape: [h], split: {0: tq}}
      g: {shape: [h], split: tp}
      i: {shape: [h], storage: indx}
      j: {shape: [h], shpe: [h]}
    operators:
      - [x]
      - {operators: []}
  second: 3
  third: {output: y}
extra: 1
)",
         errors);
    for (const char* part : {"t.yaml:2:",
                             "t.yaml:6:",
                             "t.yaml:7:",
                             "a tensor has a shape",
                             "t.yaml:8:",
                             "'1' is not a dimension of a tensor with 1",
                             "t.yaml:9:",
                             "'tq' is not a mesh axis",
                             "t.yaml:10:",
                             "t.yaml:11:",
                             "unknown storage 'indx' (did you mean 'index'?)",
                             "t.yaml:12:",
                             "shpe",
                             "t.yaml:14:",
                             "t.yaml:15:",
                             "when",
                             "t.yaml:16:",
                             "t.yaml:17:",
                             "a block has operators",
                             "t.yaml:18:",
                             "extra"}) {
        EXPECT_NE(errors.find(part), std::string::npos) << part << "\n" << errors;
    }
    for (const char* empty : {"", "3", "[]", "{}"}) {
        read(empty, errors);
        EXPECT_NE(errors, "") << empty;
    }
}

}  // namespace
}  // namespace dse::frontend
