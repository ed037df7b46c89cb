// Every kind of mistake in a template or a model file: its place, and what is wrong, in words. No file
// crashes.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "support/temporary_folder.hpp"

namespace dse::frontend {
namespace {

constexpr const char* good_model =
    "name: small\n"
    "template: decoder\n"
    "symbols: {layers: 4, h: 32, n: 4, d: 8, f: 64, vocab: 96}\n"
    "blocks:\n"
    "  - embedding\n"
    "  - layer: layers\n"
    "  - head\n";

constexpr const char* good_template =
    "name: decoder\n"
    "symbols: [layers, h, n, d, f, vocab]\n"
    "boundary: {shape: [b, s, h], split: {0: dp, 1: tp if sequence_parallel}}\n"
    "blocks:\n"
    "  embedding:\n"
    "    inputs:\n"
    "      tokens: {shape: [b, s], split: {0: dp}, storage: index}\n"
    "    parameters:\n"
    "      table: {shape: [vocab, h], split: {0: tp}}\n"
    "    operators:\n"
    "      - y = embedding(tokens, table)\n"
    "    output: y\n"
    "  layer:\n"
    "    parameters:\n"
    "      w_norm: {shape: [h]}\n"
    "      w_qkv: {shape: [h, 3*n*d], split: {1: tp}}\n"
    "      w_o: {shape: [n*d, h], split: {0: tp}}\n"
    "      w_up: {shape: [h, 2*f], split: {1: tp}}\n"
    "      w_down: {shape: [f, h], split: {0: tp}}\n"
    "    operators:\n"
    "      - a = rms_norm(x, w_norm)\n"
    "      - qkv = einsum(\"bsh,ho->bso\", a, w_qkv)\n"
    "      - when: attention == 'flash'\n"
    "        operators:\n"
    "          - core = attention(qkv, heads=n, kv_heads=n, head_dim=d, causal=true)\n"
    "      - when: attention == 'unfused'\n"
    "        operators:\n"
    "          - scores = attention_scores(qkv, heads=n, kv_heads=n, head_dim=d, causal=true)\n"
    "          - probabilities = softmax(scores)\n"
    "          - core = attention_values(probabilities, qkv, heads=n, kv_heads=n, head_dim=d, causal=true)\n"
    "      - z = einsum(\"bso,oh->bsh\", core, w_o)\n"
    "      - x1 = add(x, z)\n"
    "      - up = einsum(\"bsh,hf->bsf\", x1, w_up)\n"
    "      - act = swiglu(up, width=f)\n"
    "      - z2 = einsum(\"bsf,fh->bsh\", act, w_down)\n"
    "      - y = add(x1, z2)\n"
    "    output: y\n"
    "    recompute: {selective: [scores, probabilities, a]}\n"
    "  head:\n"
    "    parameters:\n"
    "      w_head: {shape: [h, vocab], split: {1: tp}}\n"
    "    operators:\n"
    "      - logits = einsum(\"bsh,hv->bsv\", x, w_head)\n"
    "      - top = row_statistic(logits)\n"
    "      - loss = cross_entropy(logits, top)\n";

/// A mistake: what is replaced in which file, and all that the message must hold.
struct Mistake {
    const char* name;
    const char* file;  ///< "template" or "model"
    const char* before;
    const char* after;
    std::vector<const char*> message;
};

std::string replace(std::string text, const std::string& before, const std::string& after) {
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return text.replace(at, before.size(), after);
}

/// What is said about a template and a model, with the name of the folder left out.
std::string errors_of(const std::string& template_text, const std::string& model_text) {
    const test::TemporaryFolder folder;
    folder.write("workloads/templates/decoder.yaml", template_text);
    folder.write("workloads/models/small.yaml", model_text);
    TemplateFrontend frontend{config::Library({folder.path()})};
    config::Diagnostics diagnostics;
    frontend.check_model("small", {}, diagnostics);
    return diagnostics.text();
}

class BadInput : public testing::TestWithParam<Mistake> {};

TEST_P(BadInput, IsRefusedAtItsPlace) {
    const Mistake& mistake = GetParam();
    const bool in_template = std::string(mistake.file) == "template";
    const std::string text = replace(in_template ? good_template : good_model, mistake.before, mistake.after);
    const std::string errors = in_template ? errors_of(text, good_model) : errors_of(good_template, text);
    for (const char* part : mistake.message)
        EXPECT_NE(errors.find(part), std::string::npos) << part << "\n" << errors;
    EXPECT_NE(errors.find(".yaml:"), std::string::npos) << errors;
}

const std::vector<Mistake> mistakes{
    {"UnknownTensor",
     "template",
     "rms_norm(x, w_norm)",
     "rms_norm(x, w_nrom)",
     {"decoder.yaml:21:", "unknown tensor 'w_nrom'", "w_norm"}},
    {"UsedBeforeItIsComputed",
     "template",
     "x1 = add(x, z)",
     "x1 = add(x, z2)",
     {"decoder.yaml:32:", "unknown tensor 'z2'"}},
    {"WrongRank",
     "template",
     "w_norm: {shape: [h]}",
     "w_norm: {shape: [h, h]}",
     {"decoder.yaml:21:", "'w_norm' has 2 dimensions, not 1"}},
    {"ShapesClash",
     "template",
     "w_down: {shape: [f, h]",
     "w_down: {shape: [2*f, h]",
     {"decoder.yaml:35:", "dimension 0 ('f') of 'w_down' is 2*f = 128", "f = 64 is needed"}},
    {"SequenceIsNotHidden",
     "template",
     "w_norm: {shape: [h]}",
     "w_norm: {shape: [s]}",
     {"decoder.yaml:21:", "'w_norm' is s = ", "h = 32 is needed"}},
    {"ResidualClash",
     "template",
     "y = add(x1, z2)",
     "y = add(x1, act)",
     {"decoder.yaml:36:", "'act' is f = 64", "h = 32 is needed"}},
    {"DifferentRanks",
     "template",
     "y = add(x1, z2)",
     "y = add(x1, w_norm)",
     {"decoder.yaml:36:", "'x1' and 'w_norm' have different numbers of dimensions"}},
    {"UnknownOperator",
     "template",
     "rms_norm(x, w_norm)",
     "rmsnorm(x, w_norm)",
     {"decoder.yaml:21:", "rmsnorm", "did you mean 'rms_norm'"}},
    {"MissingOption",
     "template",
     "head_dim=d, causal=true)\n      - when",
     "causal=true)\n      - when",
     {"decoder.yaml:25:", "needs the option 'head_dim'"}},
    {"UnknownOption",
     "template",
     "swiglu(up, width=f)",
     "swiglu(up, width=f, widht=f)",
     {"decoder.yaml:34:", "unknown option 'widht'", "width"}},
    {"OptionTwice",
     "template",
     "swiglu(up, width=f)",
     "swiglu(up, width=f, width=f)",
     {"decoder.yaml:34:", "width"}},
    {"OptionOfOperatorWithout",
     "template",
     "add(x1, z2)",
     "add(x1, z2, axis=1)",
     {"decoder.yaml:36:", "unknown option 'axis'"}},
    {"TextOfOperatorWithout",
     "template",
     "add(x1, z2)",
     "add(\"bsh\", x1, z2)",
     {"decoder.yaml:36:", "takes no text"}},
    {"FlagThatIsNone",
     "template",
     "causal=true)\n      - when",
     "causal=perhaps)\n      - when",
     {"decoder.yaml:25:", "'causal' is true or false, not 'perhaps'"}},
    {"TooManyResults",
     "template",
     "act = swiglu",
     "act, gate = swiglu",
     {"decoder.yaml:34:", "gives 1 result, not 2"}},
    {"TooFewOperands", "template", "add(x1, z2)", "add(x1)", {"decoder.yaml:36:", "takes 2 tensors, not 1"}},
    {"NotHalf", "template", "width=f)", "width=h)", {"decoder.yaml:34:", "width 32 is not half", "128"}},
    {"HeadsDoNotFit",
     "template",
     "attention(qkv, heads=n",
     "attention(qkv, heads=2*n",
     {"decoder.yaml:25:", "the last dimension of 'qkv' is 96", "128"}},
    {"NoIndices",
     "template",
     ", storage: index}",
     "}",
     {"decoder.yaml:11:", "'tokens' does not contain indices"}},
    {"EinsumWithoutArrow",
     "template",
     "\"bsh,ho->bso\"",
     "\"bsh,ho\"",
     {"decoder.yaml:22:", "'bsh,ho' is not a product of two tensors"}},
    {"EinsumLetterTwice", "template", "\"bsh,ho->bso\"", "\"bbh,ho->bo\"", {"decoder.yaml:22:", "each once"}},
    {"EinsumLetterFromNowhere",
     "template",
     "\"bsh,ho->bso\"",
     "\"bsh,ho->bsq\"",
     {"decoder.yaml:22:", "'o' occurs in only one tensor"}},
    {"EinsumRank",
     "template",
     "\"bsh,ho->bso\"",
     "\"bh,ho->bo\"",
     {"decoder.yaml:22:", "'a' has 3 dimensions, but 'bh' names 2"}},
    {"OneTensorReadInTwoWays",
     "template",
     "einsum(\"bsh,hf->bsf\", x1, w_up)",
     "einsum(\"bsh,bth->bst\", x1, x1)",
     {"decoder.yaml:33:", "reads 'x1' in two ways"}},
    {"BrokenLine",
     "template",
     "y = add(x1, z2)",
     "y = add(x1, z2",
     {"decoder.yaml:36:", "expected ')' at column"}},
    {"NoLine", "template", "y = add(x1, z2)", "y + x1", {"decoder.yaml:36:", "expected '='"}},
    {"ComputedTwice",
     "template",
     "x1 = add(x, z)",
     "z = add(x, z)",
     {"decoder.yaml:32:", "'z' is already defined"}},
    {"ParameterAgain",
     "template",
     "w_norm: {shape: [h]}",
     "x: {shape: [h]}",
     {"decoder.yaml:15:", "this name is already in use"}},
    {"NothingReads",
     "template",
     "y = add(x1, z2)",
     "u = gelu(z2)\n      - y = add(x1, z2)",
     {"decoder.yaml:36:", "nothing reads 'u'"}},
    {"ParameterForNothing",
     "template",
     "w_norm: {shape: [h]}",
     "w_norm: {shape: [h]}\n      w_old: {shape: [h]}",
     {"decoder.yaml:16:", "nothing reads 'w_old'"}},
    {"NoGradient",
     "template",
     "cross_entropy(logits, top)",
     "row_statistic(logits, top)",
     {"decoder.yaml:", "nothing reads 'loss'"}},
    {"OutputMissing",
     "template",
     "    output: y\n  layer",
     "    output: z\n  layer",
     {"decoder.yaml:5:", "output 'z' is not computed"}},
    {"OutputWithAnotherShape",
     "template",
     "    output: y\n    recompute",
     "    output: act\n    recompute",
     {"decoder.yaml:34:", "output 'act' does not have the boundary's shape [b, s, h]"}},
    {"UnknownAxis",
     "template",
     "split: {0: tp}}\n    operators:\n      - y",
     "split: {0: pt}}\n    operators:\n      - y",
     {"decoder.yaml:9:", "'pt' is not a mesh axis", "tp"}},
    {"PipelineAxis",
     "template",
     "split: {0: tp}}\n    operators:\n      - y",
     "split: {0: pp}}\n    operators:\n      - y",
     {"decoder.yaml:9:", "'pp' is not a mesh axis that splits tensors"}},
    {"NoAxis",
     "template",
     "split: {0: tp}}\n    operators:\n      - y",
     "split: {0: \"\"}}\n    operators:\n      - y",
     {"decoder.yaml:9:", "no mesh axis"}},
    {"AxisOnTwoDimensions",
     "template",
     "w_o: {shape: [n*d, h], split: {0: tp}}",
     "w_o: {shape: [n*d, h], split: {0: tp, 1: tp}}",
     {"decoder.yaml:17:", "a mesh axis splits one dimension of a tensor, not two"}},
    {"DimensionOutOfRange",
     "template",
     "w_o: {shape: [n*d, h], split: {0: tp}}",
     "w_o: {shape: [n*d, h], split: {2: tp}}",
     {"decoder.yaml:17:", "'2' is not a dimension of a tensor with 2"}},
    {"NormOverSplitDimension",
     "template",
     "w_norm: {shape: [h]}",
     "w_norm: {shape: [h], split: {0: tp}}",
     {"decoder.yaml:21:", "parameter 'w_norm' is split so that rms_norm cannot use it"}},
    {"UnknownCondition",
     "template",
     "1: tp if sequence_parallel",
     "1: tp if sequential",
     {"decoder.yaml:3:", "sequential"}},
    {"UnknownKernel", "template", "attention == 'flash'", "attention == 'flush'", {"decoder.yaml:", "flush"}},
    {"UnknownSymbol", "template", "[h, 3*n*d]", "[h, 3*n*m]", {"decoder.yaml:16:", "m"}},
    {"BrokenExpression", "template", "[h, 3*n*d]", "[h, 3*n*]", {"decoder.yaml:16:"}},
    {"TooManyDimensions",
     "template",
     "w_norm: {shape: [h]}",
     "w_norm: {shape: [h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h,h]}",
     {"decoder.yaml:15:", "27 dimensions; a tensor has at most 26"}},
    {"UnknownKey",
     "template",
     "    output: y\n  layer",
     "    ouput: y\n  layer",
     {"decoder.yaml:12:", "ouput", "output"}},
    {"SelectiveOfNothing",
     "template",
     "[scores, probabilities, a]",
     "[scores, probability]",
     {"decoder.yaml:13:", "no tensor is called 'probability'"}},
    {"SelectiveOfAParameter",
     "template",
     "[scores, probabilities, a]",
     "[w_norm]",
     {"decoder.yaml:13:", "'w_norm' is not computed here"}},
    {"SelectiveOfTheInput",
     "template",
     "[scores, probabilities, a]",
     "[x]",
     {"decoder.yaml:13:", "'x' is not computed here"}},
    {"TiedToNothing",
     "template",
     "w_head: {shape: [h, vocab], split: {1: tp}}",
     "w_head: {shape: [h, vocab], split: {1: tp}, tied: true}",
     {"decoder.yaml:41:", "'w_head' is tied: only the last block of a model shares a parameter"}},
    {"NoBlocks", "template", "blocks:\n  embedding", "block:\n  embedding", {"decoder.yaml:", "blocks"}},
    {"UnknownBlock",
     "model",
     "- layer: layers",
     "- layr: layers",
     {"small.yaml:6:", "has no block 'layr'", "layer"}},
    {"BlocksInWrongOrder",
     "model",
     "  - layer: layers\n  - head",
     "  - head\n  - layer: layers",
     {"small.yaml:6:", "'head' has no output, but blocks follow", "small.yaml:7:", "is the last block"}},
    {"NoEmbedding",
     "model",
     "  - embedding\n  - layer: layers",
     "  - layer",
     {"decoder.yaml:21:", "unknown tensor 'x'"}},
    {"CountIsNoNumber", "model", "layer: layers", "layer: layers/3", {"small.yaml:6:", "layers/3"}},
    {"CountIsNegative", "model", "layer: layers", "layer: layers - 5", {"small.yaml:6:", "-1"}},
    {"CountOfUnknown", "model", "layer: layers", "layer: depth", {"small.yaml:6:", "depth"}},
    {"CountOfTheBatch",
     "model",
     "layer: layers",
     "layer: b",
     {"small.yaml:6:", "whole number of the model's sizes"}},
    {"FirstBlockTwice", "model", "- embedding", "- embedding: 2", {"small.yaml:5:", "is repeated 2 times"}},
    {"SizeMissing", "model", "f: 64, ", "", {"small.yaml:2:", "needs the size 'f'"}},
    {"SizeIsNoNumber", "model", "f: 64", "f: .nan", {"small.yaml:3:"}},
    {"SizeIsZero", "model", "f: 64", "f: 0", {"small.yaml:3:", "at least 1"}},
    {"SizeIsNoName", "model", "f: 64", "f: 64, 3x: 5", {"small.yaml:3:", "3x"}},
    {"SizeTakesTheBatchsName", "model", "f: 64", "f: 64, b: 5", {"small.yaml:3:", "b"}},
    {"UnknownTemplate",
     "model",
     "template: decoder",
     "template: decodr",
     {"small.yaml:2:", "decodr", "decoder"}},
    {"NoSymbols",
     "model",
     "symbols: {layers: 4, h: 32, n: 4, d: 8, f: 64, vocab: 96}\n",
     "",
     {"small.yaml:1:", "symbols"}},
    {"BlocksAreNoList",
     "model",
     "blocks:\n  - embedding\n  - layer: layers\n  - head\n",
     "blocks: 3\n",
     {"small.yaml:4:", "list of blocks"}},
};

INSTANTIATE_TEST_SUITE_P(Each, BadInput, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(GoodInput, HasNothingToSay) {
    EXPECT_EQ(errors_of(good_template, good_model), "");
}

/// Whatever stands in a file, it is read or refused: every seventh byte dropped or made another.
TEST(GoodInput, OneWrongByteNeverCrashes) {
    const test::TemporaryFolder folder;
    folder.write("workloads/models/small.yaml", good_model);
    int changes = 0;
    int refused = 0;
    const std::string text = good_template;
    for (std::size_t at = 0; at < text.size(); at += 7) {
        for (const char* other : {"", "0", ",", "("}) {
            std::string changed = text;
            folder.write("workloads/templates/decoder.yaml", changed.replace(at, 1, other));
            config::Diagnostics diagnostics;
            // A library reads a file once.
            TemplateFrontend(config::Library({folder.path()})).check_model("small", {}, diagnostics);
            ++changes;
            if (!diagnostics.ok()) ++refused;
        }
    }
    EXPECT_GT(refused, changes / 2);
    EXPECT_LT(refused, changes);
}

}  // namespace
}  // namespace dse::frontend
