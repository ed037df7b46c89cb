#include "frontend/template/model_uses.hpp"

#include <gtest/gtest.h>

#include "support/yaml.hpp"

namespace dse::frontend {
namespace {

constexpr const char* stages = R"(
boundary: {shape: [b, h]}
blocks:
  first: {operators: [y = relu(x)], output: y}
  stage: {symbols: [width, side], operators: [y = relu(x)], output: y}
  last: {operators: [l = cross_entropy(x)]}
)";

/// The uses of a model with h 8 and layers 3, as "name count width=…", one a line; or what is wrong.
std::string read(const std::string& blocks, const std::string& text = stages) {
    config::Diagnostics diagnostics;
    const config::Node root = config::parse_yaml(text, "t.yaml", diagnostics);
    const TemplateSource source = read_template(root, diagnostics);
    const config::Node model = config::parse_yaml(
        "name: m\ntemplate: t\nsymbols: {h: 8, layers: 3}\nblocks: " + blocks, "m.yaml", diagnostics);
    const ModelFile file = read_model(model, diagnostics);
    Dimensions dimensions;
    dimensions.add_symbol("h");
    dimensions.add_symbol("layers");
    const std::vector<double> sample{4, 5, 8, 3};
    const std::vector<ModelUse> uses = read_uses(file, source, dimensions, sample, diagnostics);
    if (!diagnostics.ok()) return diagnostics.text();
    std::string result;
    for (const ModelUse& use : uses) {
        result += use.source->name + " " + std::to_string(use.row.count);
        for (const Dimensions::Size& size : use.sizes)
            result += " " + size.name + "=" + std::to_string(static_cast<int>(size.value));
        result += "\n";
    }
    return result;
}

TEST(ModelUses, GiveABlockSizesOfItsOwn) {
    EXPECT_EQ(
        read("[first, stage: {count: layers - 1, width: 2*h, side: 7}, stage: {width: h, side: 3}, last]"),
        "first 1\nstage 2 width=16 side=7\nstage 1 width=8 side=3\nlast 1\n");
}

TEST(ModelUses, RecurInTheirOrder) {
    const std::string narrow = "stage: {width: 1, side: 1}";
    const std::string wide = "stage: {count: 2, width: 9, side: 1}";
    const auto repeat = [&](const std::string& times) {
        return "[first, repeat: {times: " + times + ", blocks: [" + narrow + ", " + wide + "]}, " + narrow +
               ", last]";
    };
    const std::string pair = "stage 1 width=1 side=1\nstage 2 width=9 side=1\n";
    const std::string end = "stage 1 width=1 side=1\nlast 1\n";
    EXPECT_EQ(read(repeat("layers - 1")), "first 1\n" + pair + pair + end);
    EXPECT_EQ(read(repeat("0")), "first 1\n" + end);
    EXPECT_NE(read(repeat("layers/2")).find("m.yaml:4:33: error: blocks: 'layers/2'"), std::string::npos);
    EXPECT_NE(read(repeat("layers*10000")).find("blocks recur 30000 times (at most 10000)"),
              std::string::npos);
}

TEST(ModelUses, NeedEverySizeOnceAndNoOther) {
    const std::string missing = read("[first, stage: {width: 4}, last]");
    EXPECT_NE(missing.find("m.yaml:4:17: error: blocks: block 'stage' needs the size 'side'"),
              std::string::npos)
        << missing;
    const std::string unknown = read("[first, stage: {width: 4, side: 2, sise: 2}, last]");
    EXPECT_NE(unknown.find("block 'stage' has no size 'sise' (did you mean 'side'?)"), std::string::npos)
        << unknown;
    const std::string plain = read("[first: {h: 4}, stage: {width: 4, side: 2}, last]");
    EXPECT_NE(plain.find("block 'first' has no size 'h'"), std::string::npos) << plain;
    const std::string batch = read("[first, stage: {width: b, side: 2}, last]");
    EXPECT_NE(batch.find("a size is a whole number of the model's sizes"), std::string::npos) << batch;
    const std::string none = read("[first, stage: {width: 0, side: 2}, last]");
    EXPECT_NE(none.find("'0' is 0: a size"), std::string::npos) << none;
}

TEST(ModelUses, SizesOfABlockAreNoSizesOfTheModel) {
    std::string text = stages;
    text.replace(text.find("width"), 5, "layers");
    const std::string errors = read("[first, stage: {layers: 4, side: 2}, last]", text);
    EXPECT_NE(errors.find("size 'layers' of this block has the name of a size of the model"),
              std::string::npos)
        << errors;
}

TEST(ModelUses, BeginAndEndOnce) {
    EXPECT_NE(read("[first: 2, stage: {width: 4, side: 2}, last]").find("'first' is repeated 2 times"),
              std::string::npos);
    EXPECT_NE(
        read("[first, stage: {width: 4, side: 2}]").find("'stage' is the last block, but has an output"),
        std::string::npos);
    EXPECT_NE(read("[first, last, last]").find("'last' has no output, but blocks follow"), std::string::npos);
}

}  // namespace
}  // namespace dse::frontend
