#include "dse/frontend/model_file.hpp"

#include "support/yaml.hpp"

namespace dse::frontend {
namespace {

ModelFile read(std::string_view text, std::string& errors) {
    config::Diagnostics diagnostics;
    const config::Node node = config::parse_yaml(text, test::yaml_name, diagnostics);
    ModelFile model = read_model(node, diagnostics);
    errors = diagnostics.text();
    return model;
}

TEST(ModelFile, HasATemplateSizesAndBlocks) {
    std::string errors;
    const ModelFile model = read(
        "name: tiny\nsource: nowhere\ntemplate: llama\nsymbols: {layers: 2, h: 8}\n"
        "blocks: [embedding, decoder_layer: 2*layers, head]\ndraft_heads: 1\ncontext: 4096\n",
        errors);
    EXPECT_EQ(errors, "");
    EXPECT_EQ(model.name, "tiny");
    EXPECT_EQ(model.template_name, "llama");
    EXPECT_EQ(model.template_where.line, 3U);
    ASSERT_EQ(model.symbols.size(), 2U);
    EXPECT_EQ(model.symbols[1].name, "h");
    EXPECT_EQ(model.symbols[1].value, 8);
    ASSERT_EQ(model.blocks.size(), 3U);
    EXPECT_EQ(model.blocks[0].count, "1");
    EXPECT_EQ(model.blocks[1].block, "decoder_layer");
    EXPECT_EQ(model.blocks[1].count, "2*layers");
    EXPECT_EQ(model.draft_heads, 1);
    EXPECT_EQ(model.context, 4096);
}

TEST(ModelFile, BlocksMayHaveSizesOfTheirOwn) {
    std::string errors;
    const ModelFile model = read(
        "name: tiny\ntemplate: resnet\nsymbols: {h: 8}\n"
        "blocks: [stem, stage: {count: 2, width: 2*h}, stage: {width: 3}, head]\n",
        errors);
    EXPECT_EQ(errors, "");
    ASSERT_EQ(model.blocks.size(), 4U);
    EXPECT_EQ(model.blocks[1].count, "2");
    ASSERT_EQ(model.blocks[1].sizes.size(), 1U);
    EXPECT_EQ(model.blocks[1].sizes[0].name, "width");
    EXPECT_EQ(model.blocks[1].sizes[0].value, "2*h");
    EXPECT_EQ(model.blocks[2].count, "1");
    read("name: tiny\ntemplate: x\nsymbols: {h: 8}\nblocks: [stage: {width: [1]}]\n", errors);
    EXPECT_NE(errors.find("expected a size of the block"), std::string::npos) << errors;
}

TEST(ModelFile, BlocksMayRecurTogether) {
    std::string errors;
    const auto with = [&](const std::string& blocks) {
        return read("name: tiny\ntemplate: x\nsymbols: {layers: 8}\nblocks: [first, " + blocks + ", last]\n",
                    errors);
    };
    const ModelFile model = with("repeat: {times: layers/4, blocks: [near: 3, far]}");
    EXPECT_EQ(errors, "");
    ASSERT_EQ(model.blocks.size(), 4U);
    EXPECT_EQ(model.blocks[1].count, "3");
    ASSERT_EQ(model.repeats.size(), 1U);
    EXPECT_EQ(model.repeats[0].begin, 1U);
    EXPECT_EQ(model.repeats[0].end, 3U);
    EXPECT_EQ(model.repeats[0].times, "layers/4");
    for (const char* wrong :
         {"repeat: {times: 2}", "repeat: {blocks: [near]}", "repeat: {time: 2, blocks: [near]}",
          "repeat: {times: 2, blocks: [near], count: 1}"}) {
        with(wrong);
        EXPECT_NE(errors.find("t.yaml:4:"), std::string::npos) << wrong << errors;
        EXPECT_NE(errors.find("expected repeat: {times"), std::string::npos) << wrong << errors;
    }
    with("repeat: {times: 2, blocks: []}");
    EXPECT_NE(errors.find("expected a list of blocks"), std::string::npos) << errors;
    with("repeat: {times: 2, blocks: [repeat: {times: 2, blocks: [near]}]}");
    EXPECT_NE(errors.find("a repeat within a repeat"), std::string::npos) << errors;
}

TEST(ModelFile, ReportsEveryMistake) {
    std::string errors;
    read("name: tiny\nsymbols: {h: 0, f: 1.5, v: many}\nblocks: [{a: 1, b: 2}, [c]]\nblock: 3\n", errors);
    for (const char* part : {"template", "t.yaml:2:", "a size must be at least 1", "1.5", "many",
                             "t.yaml:3:", "a block, `block: count`", "t.yaml:4:", "blocks"}) {
        EXPECT_NE(errors.find(part), std::string::npos) << part << "\n" << errors;
    }
    for (const char* text : {"", "[]", "name: 1\ntemplate: x\nsymbols: 3\nblocks: []\n"}) {
        read(text, errors);
        EXPECT_NE(errors, "") << text;
    }
}

}  // namespace
}  // namespace dse::frontend
